// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/lowering.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "binding/access_space.h"
#include "binding/bind_timing.h"
#include "binding/operation_counts.h"
#include "binding/resource_table.h"
#include "program/roles.h"
#include "timing/access_lowering.h"

namespace forewarp::timing {
namespace {

/// Resources that are part of issue or of the memory unit, which are modelled apart from pipes.
bool is_way_to_memory(ResourceRole role) {
  switch (role) {
    case ResourceRole::issue:
    case ResourceRole::fetch:
    case ResourceRole::load_store:
    case ResourceRole::shared_memory:
    case ResourceRole::l1_return:
    case ResourceRole::l1_fill:
    case ResourceRole::store_path:
    case ResourceRole::l2_read:
    case ResourceRole::l2_write:
    case ResourceRole::requests:
    case ResourceRole::l2_slice:
    case ResourceRole::registers:
      return true;
    default:
      return false;
  }
}

/// Scoreboard slots that some instruction writes; only those can make a reader wait.
std::vector<bool> written_slots(const BoundTiming& timing) {
  std::vector<bool> written(timing.slots.size(), false);
  for (const BoundInstruction& bound : timing.instructions) {
    for (const std::uint16_t slot : bound.writes) written[slot] = true;
  }
  return written;
}

class KernelLowering {
 public:
  KernelLowering(const TimingSource& source, SmMachine& machine)
      : source_(source),
        machine_(machine),
        table_(source.gpu, &source.kernel),
        timing_(bind_timing(source.kernel, source.gpu, source.rules,
                            memory_latencies(source.gpu, source.clock))),
        written_(written_slots(timing_)),
        units_(table_.resources().size(), no_unit) {}

  TimedKernel lower() {
    add_pipes();
    machine_.store_gap = ticks(timing_.store_spacing);
    for (const double gap : timing_.load_gaps) machine_.load_gaps.push_back(ticks(gap));
    out_.instructions.reserve(timing_.instructions.size());
    for (std::size_t i = 0; i < timing_.instructions.size(); ++i) add(i);
    if (std::find(written_.begin(), written_.end(), true) != written_.end()) {
      out_.slot_count = written_.size();
    }
    const double bytes = source_.gpu.line_bytes;
    if (!source_.kernel.instructions.empty() && bytes > 0) {
      out_.code_lines =
          static_cast<std::uint32_t>(source_.kernel.instructions.back().address / bytes) + 1;
    }
    return std::move(out_);
  }

 private:
  void add_pipes() {
    // One entry is held by the instruction that the unit is taking in.
    const double queued = std::max(0.0, source_.gpu.queue.xu_entries - 1);
    for (std::size_t r = 0; r < table_.resources().size(); ++r) {
      const ResourceInfo& info = table_.resources()[r];
      if (is_way_to_memory(info.role)) continue;
      units_[r] = static_cast<std::uint8_t>(machine_.pipes.size());
      Pipe pipe;
      pipe.common = info.scope != ResourceScope::scheduler;
      pipe.queued = static_cast<std::uint32_t>(queued);
      machine_.pipes.push_back(pipe);
    }
  }

  void add(std::size_t i) {
    const Instruction& instruction = source_.kernel.instructions[i];
    const BoundInstruction& bound = timing_.instructions[i];
    TimedInstruction& timed = out_.instructions.emplace_back();
    timed.spacing = ticks(bound.spacing);
    timed.spacing_taken = ticks(bound.spacing_taken);
    timed.latency = ticks(bound.is_barrier ? bound.barrier_latency : bound.latency);
    timed.read_release = ticks(bound.read_release);
    timed.write_barrier = bound.write_barrier;
    timed.read_barrier = bound.read_barrier;
    timed.wait_mask = bound.wait_mask;
    timed.waits_on_scoreboard = bound.waits_on_scoreboard;
    timed.scoreboard_left = bound.scoreboard_left;
    out_.ordered_barriers = out_.ordered_barriers || bound.waits_on_scoreboard >= 0;
    timed.dual_with_next = bound.dual_with_next;
    timed.variable = bound.variable;
    timed.is_barrier = bound.is_barrier;
    timed.is_store = bound.is_store;
    timed.is_load = bound.is_load;
    timed.is_branch = instruction.instruction_class == InstructionClass::branch ||
                      instruction.instruction_class == InstructionClass::branch_indirect ||
                      instruction.instruction_class == InstructionClass::call ||
                      instruction.instruction_class == InstructionClass::return_;
    timed.code_line = source_.gpu.line_bytes > 0
                          ? static_cast<std::uint32_t>(instruction.address / source_.gpu.line_bytes)
                          : 0;
    if (instruction.instruction_class == InstructionClass::integer_multiply_wide) {
      timed.port = ticks(source_.gpu.wide_multiply_hold);
    }
    add_yield(instruction, timed);
    add_asynchronous(instruction, timed);
    add_units(instruction, source_.patterns[i], timed);
    add_slots(bound, timed);
    const Roles roles = roles_of(source_.kernel, instruction);
    if (access_space(instruction.instruction_class) != AccessSpace::none) {
      timed.access = static_cast<std::uint32_t>(out_.accesses.size());
      out_.accesses.push_back(
          lower_access(source_, table_, instruction, roles, source_.patterns[i]));
      timed.variable = true;
    } else {
      add_ports(roles, timed);
      timed.with_next =
          !timing_.by_control_words && std::any_of(timed.ports.begin(), timed.ports.end(),
                                                   [](const PortRead& read) { return read.keep; });
    }
    add_constant(instruction, timed);
  }

  /// What runs beside the warp.
  void add_asynchronous(const Instruction& instruction, TimedInstruction& timed) const {
    const std::string_view text = source_.kernel.text_of(instruction);
    timed.has_events =
        instruction.instruction_class == InstructionClass::mbarrier || is_bulk_copy(instruction);
    // Named barriers of some of the block's warps.
    const auto operands = source_.kernel.operands_of(instruction);
    const std::string_view mnemonic = opcode_info(instruction.opcode).mnemonic;
    if (mnemonic == "USETMAXREG") timed.has_events = true;
    const bool bar = mnemonic == "BAR";
    if (bar && text.find(".RED") == text.npos && operands.size() > 1) timed.has_events = true;
    timed.is_product = of_warpgroup(instruction);
    timed.ends_group = timed.is_product && text.find("gsb") != text.npos;
    if (timed.is_product) {
      const double width = source_.gpu.shared_banks * source_.gpu.shared_bank_bytes;
      const double bytes = matrix_operand_bytes(source_.kernel, instruction);
      if (width > 0) timed.operands = ticks(bytes / width * source_.gpu.shared_cycles_per_pass);
    }
    if (!text.starts_with("WARPGROUP.DEPBAR")) return;
    for (const Operand& operand : source_.kernel.operands_of(instruction)) {
      if (operand.kind == OperandKind::integer)
        timed.groups_left =
            static_cast<std::int8_t>(std::clamp<std::int64_t>(operand.value, 0, 15));
    }
  }

  /// From capability 7.0 on, a warp that yields skips the next slot.
  void add_yield(const Instruction& instruction, TimedInstruction& timed) const {
    if (!timing_.by_control_words || !instruction.control.yield || timed.dual_with_next) return;
    const Ticks least = ticks(source_.gpu.yield_cycles);
    timed.spacing = std::max(timed.spacing, least);
    timed.spacing_taken = std::max(timed.spacing_taken, least);
  }

  void add_units(const Instruction& instruction, const AccessPattern& pattern,
                 TimedInstruction& timed) const {
    std::size_t count = 0;
    for (const ResourceUse& use : table_.uses_of(instruction, pattern)) {
      const std::uint8_t unit = units_[use.resource];
      if (unit == no_unit || count == timed.units.size()) continue;
      timed.units[count] = unit;
      timed.taken[count++] = ticks(use.cycles);
    }
  }

  void add_slots(const BoundInstruction& bound, TimedInstruction& timed) {
    timed.reads = static_cast<std::uint32_t>(out_.slots.size());
    for (const std::uint16_t slot : bound.reads) {
      if (written_[slot]) out_.slots.push_back(slot);
    }
    timed.read_count = static_cast<std::uint16_t>(out_.slots.size() - timed.reads);
    timed.writes = static_cast<std::uint32_t>(out_.slots.size());
    out_.slots.insert(out_.slots.end(), bound.writes.begin(), bound.writes.end());
    timed.write_count = static_cast<std::uint16_t>(bound.writes.size());
  }

  void add_ports(const Roles& roles, TimedInstruction& timed) const {
    if (machine_.banks == 0) return;
    for (const RegisterRange& range : roles.read()) {
      if (range.file != RegisterFile::general || timed.port_reads == timed.ports.size()) continue;
      const auto ports = std::span(timed.ports).first(timed.port_reads);
      const bool again = std::any_of(ports.begin(), ports.end(), [&](const PortRead& read) {
        return read.number == range.first;
      });
      if (again || range.slot > 2) continue;
      timed.ports[timed.port_reads++] = {static_cast<std::uint8_t>(range.first % machine_.banks),
                                         range.slot, range.reuse, range.first};
    }
  }

  void add_constant(const Instruction& instruction, TimedInstruction& timed) const {
    if (machine_.constant_lines == 0) return;
    const double line = source_.gpu.constant.line_bytes;
    for (const Operand& operand : source_.kernel.operands_of(instruction)) {
      if (operand.kind != OperandKind::constant || operand.base != no_register) continue;
      if (operand.value < 0 || operand.uniform_base != no_register) continue;
      timed.constant_line = static_cast<std::uint32_t>(operand.index) << 16 |
                            static_cast<std::uint32_t>(static_cast<double>(operand.value) / line);
      return;
    }
  }

  const TimingSource& source_;
  SmMachine& machine_;
  ResourceTable table_;
  BoundTiming timing_;
  std::vector<bool> written_;
  std::vector<std::uint8_t> units_;  ///< pipe by resource; no_unit: none
  TimedKernel out_;
};

std::uint32_t whole(double value) {
  return value > 0 ? static_cast<std::uint32_t>(value + 0.5) : 0;
}

}  // namespace

SmMachine lower_machine(const TimingSource& source, const PolicyChoice& policy) {
  const Gpu& gpu = source.gpu;
  SmMachine machine;
  machine.schedulers = std::max(1U, whole(gpu.schedulers));
  machine.issue_interval = std::max<Ticks>(cycle / 16, ticks(gpu.issue_interval));
  machine.policy = policy;
  constexpr double latch = 1;  // holds one more instruction beside the queue's entries
  const double entries = gpu.queue.memory_entries;
  machine.memory_queue = entries > 0 ? whole(entries + latch) : 0;
  machine.sm_requests = whole(gpu.queue.sm_requests);
  const double replacement =
      source.rules.replacement > 0 ? source.rules.replacement : gpu.block_turnaround;
  machine.refill = ticks(replacement);
  machine.warp_start = ticks(gpu.warp_launch_cycles);
  machine.block_start = ticks(gpu.block_launch_interval * gpu.sms);
  for (const double delay : source.device_delays) machine.device_delays.push_back(ticks(delay));
  machine.barrier_seen = ticks(gpu.barrier_seen);
  machine.store_backlog = ticks(memory_latencies(gpu, source.clock).global);
  if (source.rules.use_control_words && gpu.register_window > 0) {
    machine.banks = std::min(4U, whole(gpu.register_banks));
    machine.bank_reads = std::max(1U, whole(gpu.register_reads_per_bank));
    machine.read_window = std::clamp(whole(gpu.register_window), 3U, 12U);
    machine.to_allocation = whole(gpu.register_allocation);
  }
  const double line = gpu.constant.line_bytes;
  if (line > 0) machine.constant_lines = whole(gpu.constant.level1_bytes / line);
  machine.constant_miss = ticks(gpu.constant.miss_cycles);
  machine.phase_wake = ticks(gpu.copy.wake_latency);
  machine.constant_hold = ticks(gpu.constant.hold_cycles);
  machine.jump_fetches = ticks(gpu.jump_slots * gpu.issue_interval);
  machine.fetched_ahead = ticks(gpu.fetch.buffered * gpu.issue_interval);
  const double code_line = gpu.fetch.line_cycles;
  if (code_line > 0 && gpu.line_bytes > 0) {
    machine.code_cache_lines = whole(gpu.fetch.cache_bytes / gpu.line_bytes);
    machine.code_line_time = ticks(code_line);
  }
  return machine;
}

TimedKernel lower_kernel(const TimingSource& source, SmMachine& machine) {
  return KernelLowering(source, machine).lower();
}

}  // namespace forewarp::timing
