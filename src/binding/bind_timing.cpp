// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/bind_timing.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "binding/access_space.h"
#include "binding/matrix_rates.h"
#include "program/modifier.h"

namespace forewarp::binding {
namespace {

/// What a load's latency depends on; `none` for all that is no access with a result.
MemorySpace space_of(InstructionClass c) {
  if (c == InstructionClass::load_constant) return MemorySpace::constant;
  // A commit of asynchronous copies completes when the copies before it do.
  if (c == InstructionClass::async_copy_commit || c == InstructionClass::texture)
    return MemorySpace::global;
  if (is_store_class(c)) return MemorySpace::none;
  switch (access_space(c)) {
    case MemorySpace::global:
      return MemorySpace::global;
    case MemorySpace::shared:
      return MemorySpace::shared;
    case MemorySpace::local:
      return MemorySpace::local;
    default:
      return MemorySpace::none;
  }
}

bool is_branch(InstructionClass c) {
  return c == InstructionClass::branch || c == InstructionClass::branch_indirect ||
         c == InstructionClass::call || c == InstructionClass::return_;
}

/// Assigns dense numbers to the registers that a kernel uses.
class SlotNumbers {
 public:
  std::uint16_t of(RegisterFile file, std::uint16_t number) {
    const std::uint32_t key = static_cast<std::uint32_t>(file) << 16 | number;
    const auto [place, fresh] =
        numbers_.try_emplace(key, static_cast<std::uint16_t>(slots_.size()));
    if (fresh) {
      RegisterRange range;
      range.file = file;
      range.first = number;
      slots_.push_back(range);
    }
    return place->second;
  }
  std::vector<RegisterRange> take() { return std::move(slots_); }

 private:
  std::map<std::uint32_t, std::uint16_t> numbers_;
  std::vector<RegisterRange> slots_;
};

void collect(std::span<const RegisterRange> ranges, SlotNumbers& numbers,
             std::vector<std::uint16_t>& slots) {
  for (const RegisterRange& range : ranges) {
    for (std::uint16_t i = 0; i < range.count; ++i) {
      slots.push_back(numbers.of(range.file, static_cast<std::uint16_t>(range.first + i)));
    }
  }
}

/// Spacing to the warp's next instruction, by a dependence table.
void space_by_rules(BoundInstruction& bound, const LatencyRules& rules, InstructionClass c) {
  bound.spacing = rules.ilp;
  bound.spacing_taken = rules.ilp;
  if (is_branch(c)) {
    if (rules.branch_not_taken > 0) bound.spacing = rules.branch_not_taken;
    if (rules.branch_taken > 0) bound.spacing_taken = rules.branch_taken;
  }
  if (bound.is_exit && rules.guarded_exit > 0) bound.spacing = rules.guarded_exit;
  if (bound.dual_with_next) bound.spacing = 0;
}

/// Spacing and barriers, from the compiler's control word.
void space_by_control(BoundInstruction& bound, const Instruction& instruction,
                      const LatencyRules& rules) {
  const Control& control = instruction.control;
  bound.spacing = bound.dual_with_next ? 0 : std::max<double>(control.stall, 1);
  bound.spacing_taken = bound.spacing;
  if (is_branch(instruction.instruction_class)) {
    bound.spacing_taken = std::max(bound.spacing, rules.branch_taken);
  }
  bound.write_barrier = control.write_barrier;
  bound.read_barrier = control.read_barrier;
  bound.wait_mask = control.wait_mask;
}

/// Cycles for which a fence holds its warp back, by its scope; ERRBAR and the like have none.
double fence_cycles(const Instruction& instruction, const LatencyRules& rules) {
  if (instruction.instruction_class != InstructionClass::memory_fence ||
      opcode_info(instruction.opcode).mnemonic != "MEMBAR") {
    return 0;
  }
  const std::string_view scope = instruction.has(modifier::cta)   ? "fence_block"
                                 : instruction.has(modifier::sys) ? "fence_system"
                                                                  : "fence_device";
  const auto found = rules.latency.find(scope);
  return found == rules.latency.end() ? 0 : found->second;
}

/// The warp's next instruction is at least `cycles` later.
void hold(BoundInstruction& bound, double cycles) {
  bound.spacing = std::max(bound.spacing, cycles);
  bound.spacing_taken = std::max(bound.spacing_taken, cycles);
}

/// DEPBAR.LE SBk, n [, {..}].
void bind_scoreboard_wait(BoundInstruction& bound, std::span<const Operand> operands) {
  for (const Operand& operand : operands) {
    if (operand.kind == OperandKind::scoreboard) {
      bound.waits_on_scoreboard = static_cast<std::int8_t>(operand.index);
    } else if (operand.kind == OperandKind::integer && bound.waits_on_scoreboard >= 0) {
      bound.scoreboard_left = static_cast<std::uint8_t>(operand.value & 0xff);
    } else if (operand.kind == OperandKind::scoreboard_set) {
      bound.wait_mask |= static_cast<std::uint8_t>(operand.value & every_barrier);
    }
  }
}

/// For rule sets that distinguish consumers: the first reader after an instruction (wrapping around
/// the kernel's end, for loops) decides whether the result goes to another kind of unit.
void apply_consumers(BoundTiming& timing, const Kernel& kernel, const LatencyRules& rules) {
  constexpr std::string_view suffix = "_to_others";
  const bool any = std::any_of(rules.latency.begin(), rules.latency.end(),
                               [&](const auto& entry) { return entry.first.ends_with(suffix); });
  if (!any) return;
  const std::size_t count = kernel.instructions.size();
  for (std::size_t i = 0; i < count; ++i) {
    const InstructionClass c = kernel.instructions[i].instruction_class;
    const auto found = rules.latency.find(std::string(class_name(c)) + std::string(suffix));
    if (found == rules.latency.end() || timing.instructions[i].writes.empty()) continue;
    const std::uint16_t result = timing.instructions[i].writes.front();
    for (std::size_t step = 1; step <= count; ++step) {
      const std::size_t next = (i + step) % count;
      const auto& reads = timing.instructions[next].reads;
      if (std::find(reads.begin(), reads.end(), result) == reads.end()) continue;
      if (kernel.instructions[next].instruction_class != c) {
        timing.instructions[i].latency = found->second;
      }
      break;
    }
  }
}

}  // namespace

MemoryLatencies memory_latencies(const Gpu& gpu, Megahertz clock) {
  MemoryLatencies memory;
  const double scale = gpu.memory.latency_mhz > 0 ? clock / Megahertz(gpu.memory.latency_mhz) : 1;
  memory.global = gpu.memory.latency * scale;
  memory.shared = gpu.shared_latency;
  memory.local = gpu.l1.latency > 0 ? gpu.l1.latency : gpu.l2.latency;
  const auto constant = gpu.classes.find(class_name(InstructionClass::load_constant));
  memory.constant = constant == gpu.classes.end() ? gpu.l1.latency : constant->second.latency;
  return memory;
}

double class_latency(const Gpu& gpu, const LatencyRules& rules, const MemoryLatencies& memory,
                     InstructionClass instruction_class) {
  const auto stated = [&](std::string_view key, double fallback) {
    const auto found = rules.latency.find(key);
    return found == rules.latency.end() ? fallback : found->second;
  };
  const std::string_view name = class_name(instruction_class);
  if (instruction_class == InstructionClass::atomic_global && gpu.atomic.return_cycles > 0) {
    // It is done in L2, whatever L1 keeps.
    return stated(
        name, std::min(stated("global", memory.global), gpu.l2.latency + gpu.atomic.return_cycles));
  }
  switch (space_of(instruction_class)) {
    case MemorySpace::global:
      return stated(name, stated("global", memory.global));
    case MemorySpace::shared:
      return stated(name, stated("shared", memory.shared));
    case MemorySpace::local:
      return stated(name, stated("local", memory.local));
    case MemorySpace::constant:
      return stated(name, stated("constant", memory.constant));
    default:
      break;
  }
  const auto timing = gpu.classes.find(name);
  const double own = timing == gpu.classes.end() ? rules.ilp : timing->second.latency;
  return stated(name, stated("other", own));
}

BoundTiming bind_timing(const Kernel& kernel, const Gpu& gpu, const LatencyRules& rules,
                        const MemoryLatencies& memory) {
  BoundTiming timing;
  timing.rules = &rules;
  timing.by_control_words = rules.use_control_words && kernel.has_control;
  timing.replacement = rules.replacement;
  timing.exit_takes_time = timing.by_control_words;
  timing.store_spacing = timing.by_control_words ? 0 : rules.store_ilp;
  if (!timing.by_control_words) timing.load_gaps = rules.load_gaps;

  SlotNumbers numbers;
  std::vector<double> latencies(static_cast<std::size_t>(InstructionClass::count_));
  std::vector<bool> variable(latencies.size());
  for (std::size_t c = 0; c < latencies.size(); ++c) {
    const auto instruction_class = static_cast<InstructionClass>(c);
    latencies[c] = class_latency(gpu, rules, memory, instruction_class);
    const auto found = gpu.classes.find(class_name(instruction_class));
    variable[c] = found != gpu.classes.end() && found->second.variable;
  }

  timing.instructions.reserve(kernel.instructions.size());
  for (const Instruction& instruction : kernel.instructions) {
    BoundInstruction& bound = timing.instructions.emplace_back();
    const InstructionClass c = instruction.instruction_class;
    const Roles roles = roles_of(kernel, instruction);
    bound.latency = latencies[static_cast<std::size_t>(c)];
    bound.latency += matrix_use(kernel, instruction, gpu).latency;
    bound.variable = variable[static_cast<std::size_t>(c)];
    bound.is_exit = c == InstructionClass::exit;
    bound.is_store = is_store_class(c);
    bound.is_load = space_of(c) == MemorySpace::global;
    bound.is_barrier = c == InstructionClass::barrier;
    bound.barrier_latency = bound.is_barrier ? rules.barrier : 0;
    bound.dual_with_next = instruction.dual_with_next;
    bound.read_release = std::min(bound.latency, memory.shared);
    const double held = fence_cycles(instruction, rules);
    if (timing.by_control_words) {
      space_by_control(bound, instruction, rules);
      if (c == InstructionClass::scoreboard_wait) {
        bind_scoreboard_wait(bound, kernel.operands_of(instruction));
      }
      // Stall counts and barriers cover all hazards, except those left to a scoreboard in hardware.
      const bool scoreboard_in_hardware = instruction.control.write_barrier == no_barrier;
      if (!(bound.variable && scoreboard_in_hardware)) {
        collect(roles.read(), numbers, bound.reads);
        hold(bound, held);
        continue;
      }
    } else {
      space_by_rules(bound, rules, c);
    }
    collect(roles.read(), numbers, bound.reads);
    collect(roles.written(), numbers, bound.writes);
    hold(bound, held);
  }
  timing.slots = numbers.take();
  apply_consumers(timing, kernel, rules);
  return timing;
}

std::string register_name(const RegisterRange& range) {
  const std::string number = std::to_string(range.first);
  switch (range.file) {
    case RegisterFile::general:
      return "R" + number;
    case RegisterFile::uniform:
      return "UR" + number;
    case RegisterFile::predicate:
      return "P" + number;
    case RegisterFile::uniform_predicate:
      return "UP" + number;
    case RegisterFile::condition_code:
      return "CC";
    case RegisterFile::convergence:
      return "B" + number;
  }
  return number;
}

}  // namespace forewarp::binding
