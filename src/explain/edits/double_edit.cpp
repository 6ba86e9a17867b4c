// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/double_edit.h"

#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "binding/access_space.h"
#include "explain/edits/code_edit.h"
#include "program/modifier.h"
#include "program/roles.h"

namespace forewarp::explain {
namespace {

struct Twin {
  std::string_view of_doubles, of_floats;
};
constexpr std::array<Twin, 5> twins{{{"DADD", "FADD"},
                                     {"DMUL", "FMUL"},
                                     {"DFMA", "FFMA"},
                                     {"DMNMX", "FMNMX"},
                                     {"DSETP", "FSETP"}}};

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
  double executions = 0;          ///< of both, over the grid
  std::uint32_t heaviest = 0;     ///< of the arithmetic
  double most = 0;                ///< executions of it
  bool widens = false;            ///< a float becomes a double
  bool moved = false;             ///< from or to memory, or through a unit that knows no floats
};

Doubles doubles_of(const SeenLaunch& seen) {
  const Kernel& kernel = seen.prepared.kernel();
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

}  // namespace

std::vector<EditProposal> DoubleEdit::proposals(const SeenLaunch& seen) const {
  if (seen.prepared.profile() == nullptr) return {};
  const Doubles doubles = doubles_of(seen);
  if (doubles.arithmetic.empty() || !doubles.widens || doubles.moved) return {};
  CodeEdit code(seen.prepared.analysis(), seen.prepared.gpu());
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
  const double all = seen.prepared.profile()->executed.paths.warp_instructions;
  proposal.reason = std::to_string(doubles.arithmetic.size()) + " instructions on doubles and " +
                    std::to_string(doubles.conversions.size()) +
                    " conversions between data that are floats, " +
                    significant(100 * doubles.executions / all, 3) +
                    " % of all warp instructions";
  proposal.condition = "the precision of floats will do in between";
  proposal.change = std::move(edit);
  return {std::move(proposal)};
}

}  // namespace forewarp::explain
