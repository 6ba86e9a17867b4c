// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/driver_calls.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/counted.h"
#include "base/text.h"
#include "execution/grid/path_profile.h"
#include "execution/lowering/kernel_lowering.h"
#include "program/modifier.h"

namespace forewarp::prediction {
namespace {

/// As users call them; the compiler makes other names of them.
std::string_view called_name(OutsideFunction function) {
  switch (function) {
    case OutsideFunction::print:
      return "printf";
    case OutsideFunction::fail_assertion:
      return "assert (a failed one)";
    case OutsideFunction::allocate:
      return "malloc";
    case OutsideFunction::release:
      return "free";
    default:
      return "a function whose code the input does not show";
  }
}

std::string name_of_called(const Kernel& kernel, const DriverCall& call) {
  std::string name(called_name(call.function));
  const Instruction& instruction = kernel.instructions[call.instruction];
  const auto operands = kernel.operands_of(instruction);
  if (call.function != OutsideFunction::other || operands.back().kind != OperandKind::word)
    return name;
  std::string_view symbol = kernel.text_of(operands.back());
  if (symbol.starts_with("`(") && symbol.ends_with(')'))
    symbol = symbol.substr(2, symbol.size() - 3);
  return name + ", " + std::string(symbol) + ",";
}

const Operand* last_operand(const Kernel& kernel, const Instruction& instruction) {
  if (instruction.operand_count == 0) return nullptr;
  return &kernel.operands[instruction.first_operand + instruction.operand_count - 1U];
}

/// CALL.ABS since sm_70, JCAL before, unless it has a target: other calls stay within the kernel.
bool leaves_kernel(const Kernel& kernel, const Instruction& instruction, const Operand& target) {
  constexpr std::uint32_t absolute_since = 70;
  if (instruction.instruction_class != InstructionClass::call) return false;
  if (target.kind == OperandKind::target) return false;
  if (kernel.sm >= absolute_since) return instruction.has(modifier::abs);
  return target.kind == OperandKind::word ||
         (opcode_info(instruction.opcode).mnemonic == "JCAL" && target.value == 0);
}

/// The function whose address a table of constants holds.
OutsideFunction function_in(const Kernel& kernel, const Operand& constant) {
  if (constant.base != no_register || constant.uniform_base != no_register) {
    return OutsideFunction::other;
  }
  const auto offset = static_cast<std::uint64_t>(constant.value);
  for (const ConstantData& data : kernel.constant_banks) {
    constexpr unsigned bytes = 8;
    if (data.bank != constant.index || offset + bytes > data.bytes.size()) continue;
    std::uint64_t address = 0;
    for (unsigned i = 0; i < bytes; ++i) {
      address |= std::uint64_t{data.bytes[offset + i]} << (8 * i);
    }
    return outside_function_at(address);
  }
  return OutsideFunction::other;
}

/// The function whose address was last loaded into a register before the call.
OutsideFunction function_in_register(const Kernel& kernel, std::uint32_t call, std::uint16_t cell) {
  for (std::uint32_t i = call; i-- > 0;) {
    const Instruction& instruction = kernel.instructions[i];
    if (instruction.operand_count < 2) continue;
    const Operand& to = kernel.operands[instruction.first_operand];
    if (to.kind != OperandKind::register_ || to.index != cell) continue;
    const Operand& from = *last_operand(kernel, instruction);
    if (from.kind != OperandKind::constant) return OutsideFunction::other;
    return function_in(kernel, from);
  }
  return OutsideFunction::other;
}

std::optional<DriverCall> driver_call(const Kernel& kernel, std::uint32_t index) {
  const Instruction& instruction = kernel.instructions[index];
  const Operand* target = last_operand(kernel, instruction);
  if (target == nullptr || !leaves_kernel(kernel, instruction, *target)) return std::nullopt;
  DriverCall call{index, OutsideFunction::other};
  if (target->kind == OperandKind::word) call.function = outside_function(kernel.text_of(*target));
  if (target->kind == OperandKind::constant) call.function = function_in(kernel, *target);
  if (target->kind == OperandKind::register_) {
    call.function = function_in_register(kernel, index, target->index);
    // A pointer to a function of the code.
    if (call.function == OutsideFunction::other && execution::holds_functions(kernel))
      return std::nullopt;
  }
  return call;
}

struct Calls {
  std::vector<std::string> places;
  double threads = 0;
};

std::string told(const std::map<std::pair<OutsideFunction, std::string>, Calls>& all,
                 bool executed) {
  std::vector<std::string> texts;
  for (const auto& [function, calls] : all) {
    if (executed && calls.threads <= 0) continue;
    std::string text = function.second;
    text += executed
                ? " (" + counted(calls.threads) + (calls.threads == 1 ? " call" : " calls") + ")"
                : "";
    texts.push_back(text + " at " + join(calls.places, ", "));
  }
  return join(texts, "; ");
}

}  // namespace

std::vector<DriverCall> driver_calls(const Kernel& kernel) {
  std::vector<DriverCall> calls;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    if (const auto call = driver_call(kernel, i)) calls.push_back(*call);
  }
  return calls;
}

void note_driver_calls(const Kernel& kernel, const execution::PathProfile* paths,
                       std::vector<Result::Finding>& findings,
                       std::vector<Result::Assumption>& assumptions) {
  std::map<std::pair<OutsideFunction, std::string>, Calls> all;
  double threads = 0;
  for (const DriverCall& call : driver_calls(kernel)) {
    Calls& calls = all[{call.function, name_of_called(kernel, call)}];
    calls.places.push_back(hex(kernel.instructions[call.instruction].address, 4));
    if (paths == nullptr || call.instruction >= paths->instructions.size()) continue;
    calls.threads += paths->instructions[call.instruction].lanes;
    threads += paths->instructions[call.instruction].lanes;
  }
  if (all.empty()) return;
  const bool known = all.begin()->first.first != OutsideFunction::other;  // which sorts first
  const std::string left_out = known ? "what the driver does for " : "what is done in calls of ";
  assumptions.push_back({"driver-functions",
                         left_out + told(all, false) +
                             " costs nothing: the call counts, its work and its results do not",
                         known ? "code without these calls"
                               : "the cubin itself, which shows all functions of your own"});
  if (threads <= 0) return;
  findings.push_back({"driver-functions", "the time leaves out " + left_out + told(all, true) +
                                              ": the launch takes longer than predicted"});
}

}  // namespace forewarp::prediction
