// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/fast_math_edit.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "program/modifier.h"
#include "program/roles.h"

namespace forewarp::explain {
namespace {

constexpr const char* option = "-use_fast_math";

bool is_conversion(InstructionClass c) {
  return c == InstructionClass::conversion || c == InstructionClass::conversion_double ||
         c == InstructionClass::conversion_fast;
}

bool on_integers(InstructionClass c) {
  return c == InstructionClass::integer || c == InstructionClass::integer_multiply ||
         is_conversion(c);
}

bool has_register(std::span<const RegisterRange> ranges, std::uint16_t wanted) {
  return std::ranges::any_of(ranges, [&](const RegisterRange& range) {
    return range.file == RegisterFile::general && range.first <= wanted &&
           wanted < range.first + range.count;
  });
}

/// Whether a reciprocal begins a division of integers: of a converted integer, and its bits are
/// then added to as an integer's, or converted back.
bool divides_integers(const Kernel& kernel, std::uint32_t index) {
  const auto& code = kernel.instructions;
  const Roles own = roles_of(kernel, code[index]);
  if (own.read().empty() || own.written().empty()) return false;
  const std::uint16_t divisor = own.read().back().first, quotient = own.written().front().first;
  bool converted = false;
  for (std::uint32_t i = index; i-- > 0;) {
    if (!has_register(roles_of(kernel, code[i]).written(), divisor)) continue;
    converted = is_conversion(code[i].instruction_class);
    break;
  }
  if (!converted) return false;
  for (std::uint32_t i = index + 1; i < code.size(); ++i) {
    const Roles roles = roles_of(kernel, code[i]);
    if (has_register(roles.read(), quotient)) return on_integers(code[i].instruction_class);
    if (has_register(roles.written(), quotient)) return false;
  }
  return false;
}

bool asked_for(const Case& request) {
  return std::ranges::any_of(request.compile_options, [](const std::string& text) {
    return text.ends_with("use_fast_math");
  });
}

}  // namespace

bool is_float_math(const Kernel& kernel, std::uint32_t index) {
  const Instruction& instruction = kernel.instructions[index];
  if (instruction.instruction_class != InstructionClass::sfu) return false;
  if (instruction.has(modifier::rcp64h) || instruction.has(modifier::rsq64h)) return false;
  return !instruction.has(modifier::rcp) || !divides_integers(kernel, index);
}

std::vector<EditProposal> FastMathEdit::proposals(const SeenLaunch& seen) const {
  if (!seen.has_source() || asked_for(seen.request)) return {};
  const Kernel& kernel = *seen.evaluation.launch->code.kernel;
  double executed = 0, most = 0;
  std::uint32_t heaviest = 0, count = 0;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const double executions = seen.executions(i);
    if (executions == 0 || !is_float_math(kernel, i)) continue;
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
  proposal.reason = std::to_string(count) +
                    (count == 1 ? " place divides floats, takes roots or calls functions, "
                                : " places divide floats, take roots or call functions, ") +
                    significant(executed, 3) + " times by a warp";
  proposal.condition = "their last bits do not matter, nor denormal numbers";
  proposal.change = std::move(other);
  return {std::move(proposal)};
}

}  // namespace forewarp::explain
