// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/wcet/worst_kernel.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "binding/access_space.h"
#include "program/roles.h"

namespace forewarp::timing {
namespace {

using enum InstructionClass;

/// The component because of which instructions of this class have no bound; none: they have one.
std::optional<Component> unbounded(InstructionClass c) {
  switch (c) {
    case atomic_global:
    case reduction_global:
    case texture:
    case surface_load:
    case surface_store:
    case surface_address:
    case cache_control:
    case memory_fence:
      return Component::memory;
    case atomic_shared:
      return Component::shared_atomics;
    case load_constant:
      return Component::constant_cache;
    case barrier_result:
    case branch_indirect:
    case call:
    case return_:
      return Component::simt_stack;
    default:
      return std::nullopt;
  }
}

std::optional<std::uint16_t> register_number(RegisterFile file, std::uint32_t number) {
  constexpr std::uint32_t predicates = 256, condition = 320;
  switch (file) {
    case RegisterFile::general:
      return static_cast<std::uint16_t>(std::min(number, predicates - 1));
    case RegisterFile::predicate:
      return static_cast<std::uint16_t>(std::min(predicates + number, condition - 1));
    case RegisterFile::condition_code:
      return static_cast<std::uint16_t>(condition);
    default:
      return std::nullopt;  // not on this generation
  }
}

void collect(std::span<const RegisterRange> ranges, std::vector<std::uint16_t>& numbers) {
  for (const RegisterRange& range : ranges) {
    for (std::uint32_t i = 0; i < range.count; ++i) {
      if (const auto n = register_number(range.file, range.first + i)) numbers.push_back(*n);
    }
  }
}

bool reads_clock(const Kernel& kernel, const Instruction& instruction) {
  if (instruction.instruction_class != special_move) return false;
  const auto operands = kernel.operands_of(instruction);
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.kind == OperandKind::special_register &&
           operand.index == static_cast<std::uint16_t>(SpecialRegister::clock_lo);
  });
}

/// Whether this arithmetic was measured to have the short latency; all other gets the longest.
bool was_measured(InstructionClass c) {
  return c == fp32 || c == integer || c == logic || c == shift || c == move || c == special_move;
}

/// Worst-case costs of one instruction.
class Costs {
 public:
  Costs(const WorstRules& rules, const WorstAccess& access)
      : rules_(rules),
        passes_(access.known ? std::max(1.0, access.passes) : rules.unknown_degree),
        transactions_(access.known ? std::max(1.0, access.transactions) : rules.unknown_degree),
        known_(access.known) {}

  void fill(const Kernel& kernel, const Instruction& instruction, WorstInstruction& worst) const {
    worst.spacing = rules_.spacing;
    worst.latency = rules_.raw;
    const InstructionClass c = instruction.instruction_class;
    switch (access_space(c)) {
      case AccessSpace::shared:
        return shared(is_store_class(c), worst);
      case AccessSpace::global:
      case AccessSpace::local:
        return memory(is_store_class(c), worst);
      default:
        break;
    }
    if (c == barrier) return control(rules_.barrier, Component::warp_scheduler, worst);
    if (c == branch || c == control_stack || c == convergence || c == exit) {
      return control(rules_.branch, Component::simt_stack, worst);
    }
    arithmetic(kernel, instruction, worst);
  }

 private:
  /// The warp waits until the access is done, so its result is there at the next issue.
  void shared(bool store, WorstInstruction& worst) const {
    worst.spacing = (store ? rules_.shared_store : rules_.shared_load) * passes_;
    worst.latency = worst.spacing;
    worst.unit = rules_.unit * passes_;
    worst.component = known_ ? Component::shared_memory : Component::shared_memory_unknown;
    worst.part = WorkPart::compute;
  }
  void memory(bool store, WorstInstruction& worst) const {
    const double first = store ? rules_.store + rules_.store_penalty : rules_.load;
    worst.spacing = first + (transactions_ - 1) * rules_.transaction;
    worst.latency = worst.spacing;
    worst.unit = rules_.unit + transactions_ * rules_.transaction;
    worst.component = store ? Component::write_buffer : Component::memory;
    worst.part = store ? WorkPart::store : WorkPart::load;
  }
  static void control(double cycles, Component component, WorstInstruction& worst) {
    worst.spacing = std::max(worst.spacing, cycles);
    worst.component = component;
    worst.barrier = component == Component::warp_scheduler;
  }
  void arithmetic(const Kernel& kernel, const Instruction& instruction,
                  WorstInstruction& worst) const {
    const OpcodeInfo& opcode = opcode_info(instruction.opcode);
    if (!was_measured(instruction.instruction_class)) worst.latency = rules_.raw_sfu;
    if (opcode.arithmetic == Arithmetic::fused) worst.latency += rules_.multiply_add;
    if (instruction.instruction_class == sfu) {
      worst.component = Component::sfu;
      worst.unit = rules_.sfu_unit;
    }
    worst.unit =
        std::max(worst.unit, rules_.held[static_cast<std::size_t>(instruction.instruction_class)]);
    worst.clock = reads_clock(kernel, instruction);
  }

  const WorstRules& rules_;
  double passes_, transactions_;
  bool known_;
};

Diagnostic no_bound(const Kernel& kernel, const Instruction& instruction, Component component) {
  return {
      kernel.name + " " + hex(instruction.address, 4),
      "'" + std::string(kernel.text_of(instruction)) + "' has no upper bound " + blame(component),
      "arithmetic, accesses to shared, global and local memory, branches and barriers", ""};
}

}  // namespace

std::string blame(Component component) {
  const ComponentInfo& info = component_info(component);
  return "(" + std::string(info.name) + ", " + std::string(timing_class_name(info.timing_class)) +
         ": " + std::string(info.reason) + ")";
}

Expected<WorstRules> worst_rules(const Gpu& gpu) {
  const auto at = [&](const char* name) { return gpu.number(std::string("model.wcet.") + name); };
  const LatencyRules* plain = gpu.rules_named("default");
  if (at("warps") <= 0 || plain == nullptr) {
    return Diagnostic{gpu.id.empty() ? gpu.name : gpu.id,
                      "has no worst-case cycles (compute capability " + gpu.cc.text() + ")",
                      "a GPU of compute capability 2.x, for which they were measured", ""};
  }
  WorstRules rules;
  rules.warps = at("warps");
  rules.schedulers = std::max(1.0, gpu.schedulers);
  rules.slot = at("slot_cycles");
  rules.spacing = at("ind_cycles");
  rules.raw = at("raw_cycles");
  rules.raw_sfu = at("dep_cycles");
  rules.multiply_add = at("mad_margin");
  rules.shared_load = at("lds_cycles");
  rules.shared_store = at("sts_cycles");
  rules.load = at("ld_cycles");
  rules.store = at("st_cycles");
  rules.store_penalty = at("st_penalty");
  rules.unit = at("unit_cycles");
  rules.sfu_unit = at("sfu_unit_cycles");
  rules.transaction = at("transaction_cycles");
  rules.unknown_degree = at("unknown_degree");
  rules.branch = std::max(plain->branch_taken, plain->branch_not_taken);
  rules.barrier = plain->barrier;
  for (std::size_t c = 0; c < rules.held.size(); ++c) {
    const auto timing = gpu.classes.find(class_name(static_cast<InstructionClass>(c)));
    if (timing == gpu.classes.end()) continue;
    rules.held[c] = std::max(0.0, timing->second.cycles * rules.schedulers - rules.slot);
  }
  return rules;
}

Expected<WorstKernel> bind_worst(const Kernel& kernel, const WorstRules& rules,
                                 std::span<const WorstAccess> accesses,
                                 std::span<const std::uint8_t> reached) {
  WorstKernel worst{&kernel, rules, {}};
  worst.instructions.resize(kernel.instructions.size());
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    if (reached[i] == 0) continue;
    if (const auto component = unbounded(instruction.instruction_class)) {
      return no_bound(kernel, instruction, *component);
    }
    if (instruction.opcode == unknown_opcode) {
      return no_bound(kernel, instruction, Component::arithmetic);
    }
    const Roles roles = roles_of(kernel, instruction);
    collect(roles.read(), worst.instructions[i].reads);
    collect(roles.written(), worst.instructions[i].writes);
    Costs(rules, accesses[i]).fill(kernel, instruction, worst.instructions[i]);
  }
  return worst;
}

}  // namespace forewarp::timing
