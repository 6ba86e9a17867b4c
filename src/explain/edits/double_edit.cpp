// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/double_edit.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "binding/access_space.h"
#include "binding/code_edit.h"
#include "program/modifier.h"
#include "program/roles.h"

namespace forewarp::explain {
namespace {

struct Twin {
  std::string_view of_doubles, of_floats;
};
constexpr std::array<Twin, 5> twins{
    {{"DADD", "FADD"}, {"DMUL", "FMUL"}, {"DFMA", "FFMA"}, {"DMNMX", "FMNMX"}, {"DSETP", "FSETP"}}};

std::string_view twin_of(const Instruction& instruction) {
  for (const Twin& twin : twins) {
    if (opcode_info(instruction.opcode).mnemonic == twin.of_doubles) return twin.of_floats;
  }
  return {};
}

/// F2F.F64.F32 and F2F.F32.F64.
bool converts_floats(const Instruction& instruction) {
  return opcode_info(instruction.opcode).mnemonic == "F2F" && instruction.has(modifier::f64) &&
         instruction.has(modifier::f32);
}

bool is_float_to_double(const Instruction& instruction) {
  return converts_floats(instruction) && instruction.modifiers[0] == modifier::f64;
}

/// What the kernel's doubles are.
struct Doubles {
  std::vector<std::uint32_t> arithmetic, conversions;
  double executions = 0;       ///< of both, over the grid
  std::uint32_t heaviest = 0;  ///< of the arithmetic
  double most = 0;             ///< executions of it
  bool widens = false;         ///< a float becomes a double
  bool moved = false;          ///< from or to memory, or through a unit that knows no floats
};

Doubles doubles_of(const SeenLaunch& seen) {
  const Kernel& kernel = *seen.evaluation.launch->code.kernel;
  Doubles doubles;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    const double executions = seen.executions(i);
    if (executions == 0) continue;
    const AccessSpace space = access_space(instruction.instruction_class);
    // Spilled pairs are no data; a vector of floats is as wide as a double.
    if (space == AccessSpace::global && instruction.has(modifier::n64)) doubles.moved = true;
    if (instruction.instruction_class == InstructionClass::tensor_double) doubles.moved = true;
    if (converts_floats(instruction)) {
      doubles.conversions.push_back(i);
      doubles.executions += executions;
      doubles.widens = doubles.widens || is_float_to_double(instruction);
    }
    if (twin_of(instruction).empty()) continue;
    doubles.arithmetic.push_back(i);
    doubles.executions += executions;
    if (executions > doubles.most) doubles.heaviest = i;
    doubles.most = std::max(doubles.most, executions);
  }
  return doubles;
}

/// The operands that hold a double in a pair of registers: all of arithmetic, one of a conversion.
std::vector<Operand*> pairs_of(Kernel& kernel, const Instruction& instruction) {
  std::vector<Operand*> pairs;
  for (std::uint32_t o = 0; o < instruction.operand_count; ++o) {
    const bool converts = converts_floats(instruction);
    if (converts && (o == 0) != is_float_to_double(instruction)) continue;
    Operand& operand = kernel.operands[instruction.first_operand + o];
    const bool pair = operand.kind == OperandKind::register_ && operand.index % 2 == 0;
    if (pair && !operand.is_zero_register()) pairs.push_back(&operand);
  }
  return pairs;
}

/// A move of an immediate into one register.
std::optional<std::uint16_t> moved_constant(const Kernel& kernel, const Instruction& instruction) {
  const std::string_view mnemonic = opcode_info(instruction.opcode).mnemonic;
  if (instruction.guarded() || (!mnemonic.starts_with("MOV") && mnemonic != "IMAD")) return {};
  const auto operands = kernel.operands_of(instruction);
  if (operands.size() < 2 || operands.front().kind != OperandKind::register_) return {};
  for (const Operand& operand : operands.subspan(1)) {
    const bool nothing = operand.is_zero_register() || operand.kind == OperandKind::integer;
    if (!nothing) return {};
  }
  return operands.front().index;
}

/// Whether nothing but arithmetic on doubles reads a register, from an instruction on to the end of
/// its block or to where it is written again.
bool feeds_doubles_alone(const Doubles& doubles, const CodeEdit& code, std::uint32_t index,
                         std::uint16_t number) {
  const auto holds = [&](const RegisterRange& range) {
    return range.file == RegisterFile::general && number >= range.first &&
           number < range.first + range.count;
  };
  bool fed = false;
  for (std::uint32_t i = index + 1; i < code.block_end(index); ++i) {
    const Roles roles = roles_of(code.kernel(), code.kernel().instructions[i]);
    const bool reads = !code.drops(i) && std::ranges::any_of(roles.read(), holds);
    if (reads && !std::ranges::binary_search(doubles.arithmetic, i)) return false;
    fed = fed || reads;
    if (std::ranges::any_of(roles.written(), holds)) break;
  }
  return fed;
}

/// Constants that are doubles are moved into both registers of a pair, wherever they are needed;
/// those that are floats stand in the instruction, or are moved once before all loops. Asked while
/// the arithmetic still reads pairs.
void drop_moved_constants(const Doubles& doubles, CodeEdit& code) {
  for (std::uint32_t i = 0; i < code.kernel().instructions.size(); ++i) {
    const auto constant = moved_constant(code.kernel(), code.kernel().instructions[i]);
    if (constant && feeds_doubles_alone(doubles, code, i, *constant)) code.drop(i);
  }
}

/// A float takes one register of its double's pair, and the compiler chooses: so that the sources
/// of an operation lie in different banks, as far as they can.
void spread_over_banks(const Doubles& doubles, Kernel& kernel) {
  std::map<std::uint16_t, std::uint16_t> second;  // by pair: 1 where its second register is taken
  for (const std::uint32_t i : doubles.arithmetic) {
    const Instruction& instruction = kernel.instructions[i];
    std::array<std::uint32_t, 2> taken{};
    for (const Operand* pair : pairs_of(kernel, instruction)) {
      const bool result = pair == &kernel.operands[instruction.first_operand];
      if (result) continue;
      const std::uint16_t choice = taken[0] > taken[1] ? 1 : 0;
      ++taken[second.try_emplace(pair->index, choice).first->second];
    }
  }
  const auto choose = [&](const std::vector<std::uint32_t>& instructions) {
    for (const std::uint32_t i : instructions) {
      for (Operand* pair : pairs_of(kernel, kernel.instructions[i])) {
        const auto chosen = second.find(pair->index);
        if (chosen == second.end()) continue;
        pair->index = static_cast<std::uint16_t>(pair->index + chosen->second);
      }
    }
  };
  choose(doubles.arithmetic);
  choose(doubles.conversions);
}

}  // namespace

std::vector<EditProposal> DoubleEdit::proposals(const SeenLaunch& seen) const {
  if (seen.evaluation.trace->profile == nullptr) return {};
  const Doubles doubles = doubles_of(seen);
  if (doubles.arithmetic.empty() || !doubles.widens || doubles.moved) return {};
  CodeEdit code(*seen.evaluation.launch->code.analysis, *seen.evaluation.launch->gpu);
  drop_moved_constants(doubles, code);
  spread_over_banks(doubles, code.kernel());
  for (const std::uint32_t i : doubles.arithmetic) {
    code.replace(i, twin_of(code.kernel().instructions[i]));
  }
  for (const std::uint32_t i : doubles.conversions) code.forward(i);
  LaunchEdit edit;
  edit.code = code.take();
  edit.dropped = code.dropped();
  EditProposal proposal;
  proposal.edit = "calculate in floats: give the constants an f, or cast them";
  proposal.instruction = doubles.heaviest;
  const double all = seen.evaluation.trace->profile->executed.paths.warp_instructions;
  proposal.reason = std::to_string(doubles.arithmetic.size()) + " instructions on doubles and " +
                    std::to_string(doubles.conversions.size()) +
                    " conversions between data that are floats, " +
                    significant(100 * doubles.executions / all, 3) + " % of all warp instructions";
  proposal.condition = "the precision of floats will do in between";
  proposal.change = std::move(edit);
  return {std::move(proposal)};
}

}  // namespace forewarp::explain
