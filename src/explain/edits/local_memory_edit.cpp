// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/local_memory_edit.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "binding/access_space.h"
#include "binding/code_edit.h"
#include "program/roles.h"

namespace forewarp::explain {
namespace {

/// What a kernel keeps in local memory.
struct Local {
  std::vector<std::uint32_t> instructions;
  std::set<std::int64_t> words;  ///< distinct ones of a thread
  double executions = 0;         ///< over the grid
  double most = 0;
  std::uint32_t heaviest = 0;
  bool indexed = false;  ///< some place is not known when compiling
};

/// Spilled registers lie at fixed places above the stack pointer, which is register 1.
bool is_spill(const Kernel& kernel, const Instruction& instruction) {
  for (const Operand& operand : kernel.operands_of(instruction)) {
    if (operand.kind == OperandKind::memory)
      return operand.base == 1 || operand.base == no_register;
  }
  return false;
}

void add_words(const Kernel& kernel, const Instruction& instruction, Local& local) {
  for (const Operand& operand : kernel.operands_of(instruction)) {
    if (operand.kind != OperandKind::memory) continue;
    for (std::uint32_t at = 0; at < access_bytes(instruction); at += 4) {
      local.words.insert(operand.value + at);
    }
  }
}

Local local_of(const SeenLaunch& seen) {
  const Kernel& kernel = *seen.evaluation.launch->code.kernel;
  Local local;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    if (access_space(instruction.instruction_class) != AccessSpace::local) continue;
    const double executions = seen.executions(i);
    if (executions == 0) continue;
    local.instructions.push_back(i);
    local.executions += executions;
    if (executions > local.most) local.heaviest = i;
    local.most = std::max(local.most, executions);
    local.indexed = local.indexed || !is_spill(kernel, instruction);
    add_words(kernel, instruction, local);
  }
  return local;
}

}  // namespace

std::vector<EditProposal> LocalMemoryEdit::proposals(const SeenLaunch& seen) const {
  if (seen.accesses.empty()) return {};
  const Local local = local_of(seen);
  if (local.instructions.empty()) return {};
  const BlockNeeds& needs = seen.evaluation.launch->needs;
  const SmLimits& limits = seen.evaluation.launch->gpu->limits;
  const std::uint32_t frame =
      seen.evaluation.launch->code.kernel->resources.local_bytes.value_or(0) / 4;
  const auto words = local.indexed ? std::max<std::uint32_t>(frame, 1)
                                   : static_cast<std::uint32_t>(local.words.size());
  const std::uint32_t registers = needs.registers + words;
  if (registers > limits.registers_per_thread) return {};
  CodeEdit code(*seen.evaluation.launch->code.analysis, *seen.evaluation.launch->gpu);
  for (const std::uint32_t i : local.instructions) code.drop(i);
  code.kernel().resources.local_bytes = 0;
  LaunchEdit edit;
  edit.code = code.take();
  edit.dropped = code.dropped();
  edit.registers = registers;
  EditProposal proposal;
  const double all = seen.evaluation.trace->profile->executed.paths.warp_instructions;
  proposal.edit = local.indexed ? "keep the array in registers: constant indices, loops unrolled"
                                : "allow " + std::to_string(registers) + " registers instead of " +
                                      std::to_string(needs.registers) +
                                      ": raise or drop the launch bounds or the limit of registers";
  proposal.instruction = local.heaviest;
  proposal.reason = std::to_string(local.instructions.size()) + " accesses to local memory" +
                    (local.indexed ? "" : " spill " + std::to_string(words) + " words") + ", " +
                    significant(100 * local.executions / all, 3) + " % of all warp instructions";
  if (local.indexed) proposal.condition = "every index can be known when compiling";
  proposal.change = std::move(edit);
  return {std::move(proposal)};
}

}  // namespace forewarp::explain
