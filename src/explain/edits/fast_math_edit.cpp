// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/fast_math_edit.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace forewarp::explain {
namespace {

constexpr const char* option = "-use_fast_math";

/// What -use_fast_math makes shorter: divisions, roots, and functions that reduce their range.
bool is_accurate_math(InstructionClass c) {
  return c == InstructionClass::sfu || c == InstructionClass::division_check ||
         c == InstructionClass::range_reduction;
}

bool asked_for(const Case& request) {
  return std::ranges::any_of(request.compile_options, [](const std::string& text) {
    return text.ends_with("use_fast_math");
  });
}

}  // namespace

std::vector<EditProposal> FastMathEdit::proposals(const SeenLaunch& seen) const {
  if (!seen.has_source() || asked_for(seen.request)) return {};
  const Kernel& kernel = seen.prepared.kernel();
  double executed = 0, most = 0;
  std::uint32_t heaviest = 0, count = 0;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    if (!is_accurate_math(kernel.instructions[i].instruction_class)) continue;
    const double executions = seen.executions(i);
    if (executions == 0) continue;
    ++count;
    executed += executions;
    if (executions > most) heaviest = i;
    most = std::max(most, executions);
  }
  if (count == 0) return {};
  OtherCase other{seen.request, seen.options, false};
  other.request.compile_options.emplace_back(option);
  EditProposal proposal;
  proposal.edit = "compile with -use_fast_math, or call the intrinsics (__fdividef, __expf, ..)";
  proposal.instruction = heaviest;
  proposal.reason = std::to_string(count) + " places divide, take roots or call functions, " +
                    significant(executed, 3) + " times by a warp; compiled so";
  proposal.condition = "their last bits do not matter, nor denormal numbers";
  proposal.change = std::move(other);
  return {std::move(proposal)};
}

}  // namespace forewarp::explain
