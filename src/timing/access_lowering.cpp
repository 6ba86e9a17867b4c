// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/access_lowering.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "binding/access_space.h"
#include "binding/bind_timing.h"
#include "hardware/access_rules.h"

namespace forewarp::timing {
namespace {

constexpr double whole_range = 4294967296.0;  // a draw is 32 bits wide

std::uint64_t bound_of(double share) {
  return static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) * whole_range);
}

/// 32-bit registers that the collector reads for an access.
struct SourceRegisters {
  double address = 0, data = 0;
};

SourceRegisters source_registers(const Roles& roles) {
  SourceRegisters count;
  for (const RegisterRange& range : roles.read()) {
    if (range.file != RegisterFile::general) continue;
    (range.use == RoleUse::data || range.use == RoleUse::source ? count.data : count.address) +=
        range.count;
  }
  return count;
}

class AccessLowering {
 public:
  AccessLowering(const TimingSource& source, const ResourceTable& table,
                 const Instruction& instruction, const AccessPattern& pattern)
      : source_(source),
        gpu_(source.gpu),
        instruction_(instruction),
        pattern_(pattern),
        space_(access_space(instruction.instruction_class)),
        table_(table),
        demand_(table.demand_of(instruction, pattern, false)) {
    out_.is_store = is_store_class(instruction.instruction_class);
    out_.is_memory = space_ == AccessSpace::global || space_ == AccessSpace::local;
    is_outward_ = source.kernel.text_of(instruction).find(".G.S") != std::string_view::npos;
    asks_ = pattern.known ? std::clamp(pattern.requests, 0.0, 1.0) : 1;
  }

  /// A copy in bulk, whose bytes pass the engine, the way to L2 and shared memory.
  TimedAccess lower_copy(bool box, double latency) {
    const std::string_view name = opcode_info(instruction_.opcode).mnemonic;
    out_.is_copy = out_.is_memory = true;
    out_.is_store = name == "UTMASTG" || name == "UTMAREDG" || name == "UBLKRED" || is_outward_;
    const double bytes = pattern_.known ? pattern_.lanes * pattern_.bytes_per_lane : 0;
    const double rate = gpu_.copy.bytes;
    // Each request of the engine is for one line, or the part of it that a row of the box takes.
    const double lines = std::max(1.0, pattern_.known ? pattern_.lines : 1);
    out_.engine = ticks(std::max(lines * gpu_.copy.request_cycles, rate > 0 ? bytes / rate : 0));
    out_.data = ticks(gpu_.shared_banks > 0 ? bytes / (gpu_.shared_banks * gpu_.shared_bank_bytes) *
                                                  gpu_.shared_cycles_per_pass
                                            : 0);
    out_.after = ticks(box ? gpu_.copy.box_latency : gpu_.copy.latency);
    out_.l2_port = ticks(port_cycles());
    if (out_.is_store) out_.written_cycles = cycles(ResourceRole::l2_write);
    out_.slice_cycles = cycles(ResourceRole::l2_slice);
    out_.memory_bytes = demand_.count(Count::read_bytes) + demand_.count(Count::write_bytes);
    out_.memory = ticks(out_.memory_bytes * source_.device_cycles_per_byte);
    if (out_.is_store) return out_;
    // A copy waits for the last of its requests.
    const double requests = std::max(1.0, pattern_.requests);
    const double misses = std::min(pattern_.waits_for_memory, 1.0);
    out_.l2 = bound_of(std::pow(1 - misses, requests));
    out_.extra_l2 = ticks(gpu_.l2.latency > 0 ? last_l2_latency(pattern_, lines, gpu_) : latency);
    const double device = memory_latencies(gpu_, source_.clock).global;
    out_.extra_memory = ticks(device + last_part(lines, gpu_));
    return out_;
  }

  TimedAccess lower(const Roles& roles, double latency) {
    add_queue(roles, latency);
    add_data();
    if (out_.is_memory && asks_ > 0) add_levels(latency);
    return out_;
  }

 private:
  [[nodiscard]] double cycles(ResourceRole role) const {
    for (std::size_t r = 0; r < table_.resources().size(); ++r) {
      if (table_.resources()[r].role == role) return demand_.cycles(r);
    }
    return 0;
  }

  /// At the SM's own port. What L2 takes in from all SMs is slower, but not for one of them alone.
  [[nodiscard]] double port_cycles() const {
    return std::max({cycles(ResourceRole::l1_fill), cycles(ResourceRole::l2_read),
                     out_.is_store ? 0 : cycles(ResourceRole::l2_write),
                     cycles(ResourceRole::store_path)});
  }

  void add_queue(const Roles& roles, double latency) {
    const double per_register = gpu_.queue.source_cycles;
    const SourceRegisters registers = source_registers(roles);
    const double base = out_.is_store ? gpu_.queue.store_leave_cycles : gpu_.queue.leave_cycles;
    const double read = registers.address + registers.data;
    const double collect = per_register > 0 ? per_register * std::max(1.0, read) : gpu_.lsu_cycles;
    out_.collect = ticks(collect);
    out_.leave = ticks(base + collect);
    out_.interface = ticks(gpu_.lsu_cycles);
    // The class's latency holds for 32-bit accesses whose address is in registers, two of them for
    // global memory.
    const double usual =
        per_register > 0 ? per_register * (space_ == AccessSpace::global ? 2 : 1) : gpu_.lsu_cycles;
    const double wide = std::max(1.0, access_bytes(instruction_) / 4.0);
    double after = std::max(0.0, latency - base - usual);
    if (!out_.is_store && per_register > 0) {
      if (space_ == AccessSpace::global) after += 2 * (wide - 1);
      if (space_ == AccessSpace::shared && wide > 2) after += wide - 2;
      if (registers.address == 0 && moves_data(space_)) after -= 1;
    }
    if (!out_.is_store) after += beyond_own_shared(pattern_, gpu_);
    out_.after = ticks(after);
  }

  void add_data() {
    out_.none = bound_of(1 - asks_);
    if (asks_ <= 0) return;
    if (space_ == AccessSpace::shared) {
      const double data = cycles(ResourceRole::shared_memory) / asks_;
      out_.data = ticks(data);
      const double wide = std::max(1.0, access_bytes(instruction_) / 4.0);
      const double passes = pattern_.passes / asks_;
      const double further = std::max(0.0, passes - wide) * gpu_.shared_cycles_per_pass;
      const double turns = pattern_.turns > 0 ? data - data / (pattern_.turns / asks_) : 0;
      out_.more_passes = ticks(std::max(further, turns));
    } else if (space_ == AccessSpace::global) {
      out_.data = ticks(cycles(ResourceRole::l1_return) / asks_);
      if (!out_.is_store) out_.more_passes = ticks(later_in_stage(pattern_, gpu_));
    } else if (space_ == AccessSpace::local) {
      const double back = return_cycles(pattern_.lanes, pattern_.bytes_per_lane, gpu_);
      out_.data = ticks(std::max(back, pattern_.stage) / asks_);
    }
  }

  /// The share of executions that go to L2, and the share that goes to device memory.
  void shares(double& l2, double& memory) const {
    if (out_.is_store || instruction_.instruction_class == InstructionClass::atomic_global) {
      l2 = asks_;
      memory = asks_;
    } else if (space_ == AccessSpace::local) {
      const bool counted = pattern_.known && pattern_.sectors > 0 && pattern_.l2_sectors >= 0;
      l2 = counted ? asks_ * std::min(1.0, pattern_.l2_sectors / pattern_.sectors) : 0;
      const double bytes = pattern_.l2_sectors * gpu_.sector_bytes;
      memory = counted && bytes > 0 ? l2 * std::clamp(pattern_.device_bytes / bytes, 0.0, 1.0) : 0;
    } else {
      l2 = asks_ * pattern_.waits_for_l2;
      memory = asks_ * std::min(pattern_.waits_for_memory, pattern_.waits_for_l2);
    }
  }

  void add_levels(double latency) {
    double l2 = 0, memory = 0;
    shares(l2, memory);
    if (l2 > 0) out_.slice_cycles = cycles(ResourceRole::l2_slice) / l2;
    out_.l1 = bound_of(1 - l2);
    out_.l2 = bound_of(1 - memory);
    if (l2 > 0) {
      out_.l2_port = ticks(port_cycles() / l2);
      if (out_.is_store) out_.written_cycles = cycles(ResourceRole::l2_write) / l2;
    }
    const double bytes = demand_.count(Count::read_bytes) + demand_.count(Count::write_bytes);
    if (memory > 0) {
      out_.memory_bytes = bytes / memory;
      out_.memory = ticks(out_.memory_bytes * source_.device_cycles_per_byte);
    }
    if (out_.is_store) return;
    const double far = gpu_.l2.latency > 0 ? l2_latency(pattern_, gpu_) : latency;
    out_.extra_l2 = ticks(std::max(0.0, far - latency));
    const double device = memory_latencies(gpu_, source_.clock).global;
    out_.extra_memory = ticks(std::max(0.0, device - latency));
    if (instruction_.instruction_class == InstructionClass::atomic_global) {
      out_.extra_l2 = out_.extra_memory = 0;  // the latency of its class is already that of L2
    }
  }

  const TimingSource& source_;
  const Gpu& gpu_;
  const Instruction& instruction_;
  const AccessPattern& pattern_;
  AccessSpace space_;
  const ResourceTable& table_;
  Demand demand_;
  double asks_ = 1;
  bool is_outward_ = false;  ///< UBLKCP.G.S
  TimedAccess out_;
};

}  // namespace

TimedAccess lower_access(const TimingSource& source, const ResourceTable& table,
                         const Instruction& instruction, const Roles& roles,
                         const AccessPattern& pattern) {
  const auto timing = source.gpu.classes.find(class_name(instruction.instruction_class));
  const double hit = timing == source.gpu.classes.end() ? 0 : timing->second.latency;
  AccessLowering lowering(source, table, instruction, pattern);
  if (is_bulk_copy(instruction)) {
    const bool box = opcode_info(instruction.opcode).mnemonic.starts_with("UTMA");
    return lowering.lower_copy(box, hit);
  }
  return lowering.lower(roles, hit);
}

}  // namespace forewarp::timing
