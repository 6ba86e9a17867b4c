// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/resource_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "binding/access_space.h"
#include "binding/matrix_rates.h"
#include "binding/operation_counts.h"
#include "hardware/access_rules.h"

namespace forewarp::binding {
namespace {

/// Names of pipes for readers; a pipe that is not listed keeps its own name.
std::string pipe_label(std::string_view pipe) {
  if (pipe == "core") return "CUDA cores";
  if (pipe == "fma") return "FMA pipe";
  if (pipe == "fma_heavy") return "heavy FMA pipe (integer multiply)";
  if (pipe == "alu") return "ALU pipe";
  if (pipe == "xu" || pipe == "sfu") return "special function units";
  if (pipe == "fp64") return "FP64 units";
  if (pipe == "fp16") return "FP16 pipe";
  if (pipe == "tensor") return "tensor cores";
  if (pipe == "udp") return "uniform datapath";
  if (pipe == "cbu") return "branch unit";
  if (pipe == "adu") return "address divergence unit";
  if (pipe == "alu_heavy") return "heavy ALU pipe";
  if (pipe == "core32") return "32-lane CUDA cores";
  if (pipe == "tex") return "texture units";
  return std::string(pipe) + " pipe";
}

bool has_return_value(InstructionClass c) {
  return c == InstructionClass::atomic_global || !is_store_class(c);
}

}  // namespace

ResourceTable::ResourceTable(const Gpu& gpu, const Kernel* kernel)
    : gpu_(gpu), kernel_(kernel), atomics_(atomic_rates(gpu)) {
  issue_ = add(ResourceRole::issue, ResourceScope::scheduler);
  if (gpu.jump_slots > 0) {
    fetch_ = add(ResourceRole::fetch, ResourceScope::scheduler);
  }
  classes_.resize(class_kinds);
  for (std::size_t c = 0; c < class_kinds; ++c) {
    const auto found = gpu.classes.find(class_name(static_cast<InstructionClass>(c)));
    if (found == gpu.classes.end()) continue;
    const ClassTiming& timing = found->second;
    if (!timing.pipe.empty() && timing.cycles > 0) {
      classes_[c].pipes.emplace_back(pipe(timing.pipe, timing.cycles), timing.cycles);
    }
    for (const auto& [name, cycles] : timing.also) {
      classes_[c].pipes.emplace_back(pipe(name, cycles), cycles);
    }
  }
  lsu_ = add(ResourceRole::load_store);
  shared_ = add(ResourceRole::shared_memory, ResourceScope::interface);
  if (gpu.cluster.bytes > 0) network_ = add(ResourceRole::cluster_network);
  l1_return_ = add(ResourceRole::l1_return, ResourceScope::interface);
  l1_fill_ = add(ResourceRole::l1_fill);
  store_path_ = add(ResourceRole::store_path);
  l2_read_ = add(ResourceRole::l2_read);
  l2_write_ = add(ResourceRole::l2_write);
  requests_ = add(ResourceRole::requests);
  slices_ = add(ResourceRole::l2_slice, ResourceScope::chip);
  first_bank_ = resources_.size();
  for (int bank = 0; bank < static_cast<int>(gpu.register_banks); ++bank) {
    const ResourceName all = resource_name(ResourceRole::registers);
    const std::string number = std::to_string(bank);
    add({std::string(all.name) + number, std::string(all.label) + ", bank " + number});
  }
}

std::size_t ResourceTable::add(ResourceInfo info) {
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    if (resources_[i].name == info.name) return i;
  }
  resources_.push_back(std::move(info));
  return resources_.size() - 1;
}

/// Schedulers each have their share of a pipe, unless that were less than one lane, the pipe is
/// part of the memory unit, or the generation shares its special function units.
std::size_t ResourceTable::pipe(const std::string& name, double cycles) {
  if (role_of_resource(name) == ResourceRole::load_store) return add(ResourceRole::load_store);
  const bool common = name == "adu" || name == "tex" || (name == "sfu" && gpu_.sfu_common);
  const bool shared = common || cycles * gpu_.schedulers > gpu_.limits.warp_lanes;
  return add({name, pipe_label(name), shared ? ResourceScope::sm : ResourceScope::scheduler});
}

std::vector<ResourceUse> ResourceTable::uses_of(const Instruction& instruction,
                                                const AccessPattern& access) const {
  const Demand demand = demand_of(instruction, access, false);
  std::vector<ResourceUse> uses;
  for (std::size_t r = 0; r < first_bank_; ++r) {
    const bool each = resources_[r].scope == ResourceScope::scheduler;
    const double cycles = demand.cycles(r) * (each ? gpu_.schedulers : 1);
    // A block alone has no other SMs competing for a slice.
    if (cycles > 0 && r != requests_ && r != slices_)
      uses.push_back({static_cast<std::uint16_t>(r), cycles});
  }
  return uses;
}

ReplayMachine ResourceTable::machine() const {
  ReplayMachine machine;
  machine.schedulers = std::max(1U, static_cast<std::uint32_t>(gpu_.schedulers));
  machine.resources = resources_;
  machine.issue = issue_;
  machine.interface = lsu_;
  constexpr double latch = 1;  // one instruction besides the queue's entries
  machine.memory_queue = (gpu_.queue.memory_entries + latch) * machine.schedulers;
  machine.unit_queue = gpu_.queue.xu_entries;
  machine.warp_launch = gpu_.warp_launch_cycles;
  return machine;
}

Demand ResourceTable::demand_of(const Instruction& instruction, const AccessPattern& access,
                                bool second_of_pair) const {
  Demand demand(resources_.size());
  const InstructionClass c = instruction.instruction_class;
  demand.count(Count::instructions) = 1;
  demand.count(Count::thread_instructions) = gpu_.limits.warp_lanes;
  demand.of_class(c) = 1;
  const double slot = gpu_.schedulers > 0 ? gpu_.issue_interval / gpu_.schedulers : 0;
  if (fetch_ != no_resource)
    demand.cycles(fetch_) = slot;  // both instructions of a pair are fetched
  if (second_of_pair) {
    demand.count(Count::dual_pairs) = 1;
  } else {
    demand.cycles(issue_) = slot;
  }
  const MatrixUse matrix =
      kernel_ == nullptr ? MatrixUse{} : matrix_use(*kernel_, instruction, gpu_);
  // Distinct constant addresses of a warp are served one after the other.
  const bool constant = c == InstructionClass::load_constant && access.known;
  const double times = constant ? std::max(access.requests, access.passes) : 1;
  const bool placed = gpu_.constant.placed_load_cycles > 0 && loads_placed_constant(instruction);
  for (const auto& [pipe, usual] : classes_[static_cast<std::size_t>(c)].pipes) {
    const double cycles = placed ? gpu_.constant.placed_load_cycles : usual;
    demand.cycles(pipe) += matrix.cycles > 0 ? matrix.cycles : cycles * times;
  }
  if (kernel_ != nullptr && of_warpgroup(instruction))
    demand.cycles(shared_) += matrix_operand_bytes(*kernel_, instruction) / shared_width();
  if (c == InstructionClass::barrier) demand.count(Count::barriers) = 1;
  add_memory(instruction, access, demand);
  demand.cycles(issue_) += demand.count(Count::reissues) * slot * gpu_.reissue_slots;
  return demand;
}

bool ResourceTable::loads_placed_constant(const Instruction& instruction) const {
  if (instruction.instruction_class != InstructionClass::load_constant || kernel_ == nullptr) {
    return false;
  }
  const auto operands = kernel_->operands_of(instruction);
  return std::ranges::any_of(operands, [](const Operand& one) {
    return one.kind == OperandKind::constant && one.base == no_register &&
           one.uniform_base == no_register;
  });
}

void ResourceTable::add_jumps(double jumps, Demand& demand) const {
  if (fetch_ == no_resource || gpu_.schedulers <= 0) return;
  demand.cycles(fetch_) += jumps * gpu_.jump_slots * gpu_.issue_interval / gpu_.schedulers;
}

void ResourceTable::add_memory(const Instruction& instruction, const AccessPattern& access,
                               Demand& demand) const {
  const InstructionClass c = instruction.instruction_class;
  const AccessSpace space = access_space(c);
  if (space == AccessSpace::none) return;
  if (is_bulk_copy(instruction)) return add_copy(instruction, access, demand);
  demand.count(Count::lsu_instructions) = 1;
  demand.cycles(lsu_) += gpu_.lsu_cycles;
  if (access.lanes == 0) return;  // no lane is active
  if (space == AccessSpace::global) {
    demand.count(Count::memory_instructions) = access.requests;
    add_global(access, is_store_class(c), demand);
    add_slices(instruction, access, demand);
    if (has_return_value(c) && gpu_.l1.return_bytes > 0) {
      // Atomics bypass L1, but their results use the return path.
      const double back = return_cycles(access.lanes, access.bytes_per_lane, gpu_);
      const bool from_l1 = c != InstructionClass::atomic_global;
      demand.cycles(l1_return_) += std::max(back, from_l1 ? access.stage : 0);
    }
  } else if (space == AccessSpace::shared) {
    add_shared(instruction, access, demand);
  } else if (space == AccessSpace::local) {
    add_local(access, is_store_class(c), demand);
  }
}

double ResourceTable::shared_width() const {
  const double width = gpu_.shared_banks * gpu_.shared_bank_bytes;
  return width > 0 && gpu_.shared_cycles_per_pass > 0 ? width / gpu_.shared_cycles_per_pass : 1;
}

/// A copy in bulk passes by L1. Outward it reads shared memory; what it writes there takes no turn
/// of what is read.
void ResourceTable::add_copy(const Instruction& instruction, const AccessPattern& access,
                             Demand& demand) const {
  if (access.lanes == 0) return;
  const std::string_view name = opcode_info(instruction.opcode).mnemonic;
  const bool outward =
      name == "UTMASTG" || name == "UTMAREDG" || name == "UBLKRED" ||
      (kernel_ != nullptr && kernel_->text_of(instruction).find(".G.S") != std::string_view::npos);
  demand.count(Count::memory_instructions) = 1;
  add_global(access, outward, demand);  // whole lines: the bandwidth of L2, not its slices' visits
  if (outward) demand.cycles(shared_) += access.lanes * access.bytes_per_lane / shared_width();
}

/// Spills and stack: kept by L1 as far as it can, the rest passes through L2.
void ResourceTable::add_local(const AccessPattern& access, bool store, Demand& demand) const {
  const bool counted = access.l2_sectors >= 0;
  const double sectors =
      counted ? access.sectors : access.lanes * access.bytes_per_lane / gpu_.sector_bytes;
  demand.count(Count::local_sectors) = sectors;
  const double passed = counted ? access.l2_sectors : store ? sectors : 0;
  const double rate = store ? gpu_.l2.write_bytes : gpu_.l2.read_bytes;
  if (rate > 0) demand.cycles(store ? l2_write_ : l2_read_) += passed * gpu_.sector_bytes / rate;
  if (store && gpu_.l1.store_bytes > 0)
    demand.cycles(store_path_) += passed * gpu_.sector_bytes / gpu_.l1.store_bytes;
  if (access.device_bytes > 0) {
    demand.count(store ? Count::write_bytes : Count::read_bytes) = access.device_bytes;
    demand.count(Count::local_device_bytes) = access.device_bytes;
    demand.count(Count::device_places) = access.device_places;
  }
}

/// A request covers one line: an access to more lines is reissued for each. A contiguous access
/// that is only misaligned to lines is not.
double ResourceTable::reissues(const AccessPattern& access) const {
  const double bytes = access.lanes * access.bytes_per_lane / access.requests;
  const double sectors = access.sectors / access.requests;
  if (sectors <= std::ceil(bytes / gpu_.sector_bytes) + 1) return 0;
  const double lines = access.lines / access.requests;
  return access.requests * std::max(0.0, lines - std::max(1.0, std::ceil(bytes / gpu_.line_bytes)));
}

void ResourceTable::add_global(const AccessPattern& access, bool store, Demand& demand) const {
  const double bytes = access.sectors * gpu_.sector_bytes;
  const double passed = access.l2_sectors < 0 ? bytes : access.l2_sectors * gpu_.sector_bytes;
  demand.count(store ? Count::store_requests : Count::load_requests) = access.requests;
  demand.count(store ? Count::store_sectors : Count::load_sectors) = access.sectors;
  demand.count(Count::global_bytes) = bytes;
  demand.count(store ? Count::write_bytes : Count::read_bytes) =
      access.device_bytes < 0 ? bytes : access.device_bytes;
  demand.count(Count::device_places) = access.device_places;
  demand.count(Count::passed_bytes) = passed;
  demand.count(Count::line_reissues) = reissues(access);
  demand.count(Count::reissues) = demand.count(Count::line_reissues);
  if (demand.count(Count::line_reissues) > 0) {
    demand.count(Count::uncoalesced_instructions) = access.requests;
  }
  if (store) {
    if (gpu_.l1.store_bytes > 0) demand.cycles(store_path_) += passed / gpu_.l1.store_bytes;
    if (gpu_.l2.write_bytes > 0) demand.cycles(l2_write_) += passed / gpu_.l2.write_bytes;
    return;
  }
  demand.count(Count::l1_requests) = access.requests * (1 - access.waits_for_l2);
  demand.count(Count::l2_requests) =
      access.requests * (access.waits_for_l2 - access.waits_for_memory);
  if (gpu_.l1.fill_bytes > 0) demand.cycles(l1_fill_) += passed / gpu_.l1.fill_bytes;
  if (gpu_.l2.read_bytes > 0) demand.cycles(l2_read_) += passed / gpu_.l2.read_bytes;
  if (gpu_.memory.request_limit > 0) {
    // Little's law: `lines` requests, each in flight for memory_latency, in `request_limit` slots.
    demand.cycles(requests_) += access.lines * gpu_.memory.latency / gpu_.memory.request_limit;
  }
}

/// All SMs use the same slice, so each is charged for its share of that slice.
void ResourceTable::add_slices(const Instruction& instruction, const AccessPattern& access,
                               Demand& demand) const {
  if (atomics_.slices <= 0) return;
  const double even = 1 / atomics_.slices;
  const double sectors = access.l2_sectors < 0 ? access.sectors : access.l2_sectors;
  const double passed = access.sectors > 0 ? sectors / access.sectors : 0;
  double cycles = access.visits * passed * even * atomics_.sector;
  // Sectors that all warps request from neighbouring places are served by one slice, one by one.
  if (access.busiest_sectors > even)
    cycles = std::max(cycles, sectors * access.busiest_sectors * atomics_.sector);
  if (access.turns > 0) {
    const double turns =
        std::max(access.turns * atomics_.lane_of(instruction), access.sectors * atomics_.visit);
    cycles = std::max(cycles, turns * std::max(even, access.busiest_slice));
  }
  demand.cycles(slices_) += cycles * gpu_.sms;
}

void ResourceTable::add_shared(const Instruction& instruction, const AccessPattern& access,
                               Demand& demand) const {
  demand.count(Count::shared_instructions) = access.requests;
  demand.count(Count::shared_wavefronts) = access.passes;
  demand.count(Count::shared_bytes) = access.lanes * access.bytes_per_lane;
  demand.count(Count::reissues) = std::max(0.0, access.passes - access.requests);
  demand.cycles(shared_) += std::max({access.requests * gpu_.shared_cycles_minimum,
                                      access.passes * gpu_.shared_cycles_per_pass,
                                      access.turns * atomics_.shared_lane_of(instruction)});
  if (network_ != no_resource) demand.cycles(network_) += access.distant_bytes / gpu_.cluster.bytes;
}

void ResourceTable::add_register_reads(const Kernel& kernel, std::size_t first, std::size_t index,
                                       Demand& demand) const {
  const auto banks = static_cast<std::size_t>(gpu_.register_banks);
  if (banks == 0 || gpu_.register_reads_per_bank <= 0) return;
  const Instruction& instruction = kernel.instructions[index];
  if (access_space(instruction.instruction_class) != AccessSpace::none) return;
  const Roles roles = roles_of(kernel, instruction);
  // The operand cache belongs to the scheduler: its content is lost when another warp issues in
  // between, which happens whenever the predecessor stalls its own warp for more than one cycle.
  const bool follows = index > first && kernel.instructions[index - 1].control.stall <= 1;
  const Roles before = follows ? roles_of(kernel, kernel.instructions[index - 1]) : Roles{};
  const double per_read = 1.0 / (gpu_.register_reads_per_bank * std::max(gpu_.schedulers, 1.0));
  std::array<std::uint16_t, 16> seen{};
  std::size_t seen_count = 0;
  for (const RegisterRange& range : roles.read()) {
    if (range.file != RegisterFile::general) continue;
    const bool cached =
        std::any_of(before.read().begin(), before.read().end(), [&](const RegisterRange& other) {
          return other.reuse && other.file == range.file && other.first == range.first &&
                 other.slot == range.slot;
        });
    if (cached) continue;
    for (std::uint16_t r = range.first; r < range.first + range.count; ++r) {
      const auto end = seen.begin() + static_cast<std::ptrdiff_t>(seen_count);
      if (std::find(seen.begin(), end, r) != end) continue;
      if (seen_count < seen.size()) seen[seen_count++] = r;
      demand.cycles(first_bank_ + r % banks) += per_read;
    }
  }
}

}  // namespace forewarp::binding
