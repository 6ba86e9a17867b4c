// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/register_edit.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "binding/occupancy.h"

namespace forewarp::explain {
namespace {

constexpr std::uint32_t fewest_registers = 16;
constexpr std::uint32_t compiled_steps = 8;  // compilers take them so
constexpr std::uint32_t most_tried = 4;

/// Launch bounds of a source: the compiler then heeds no other limit of registers.
struct SourceBounds {
  bool any = false, least_blocks = false;  ///< the latter: a second argument
};

SourceBounds bounds_of(const SeenLaunch& seen) {
  SourceBounds found;
  const auto source = seen.has_source() ? read_file(seen.request.input) : Expected<std::string>("");
  if (!source) return found;
  constexpr std::string_view word = "__launch_bounds__";
  for (std::size_t at = source->find(word); at != std::string::npos; at = source->find(word, at)) {
    at += word.size();
    const std::size_t open = source->find_first_not_of(" \t\n", at);
    if (open == std::string::npos || (*source)[open] != '(') continue;
    found.any = true;
    int depth = 0;
    for (std::size_t i = open; i < source->size(); ++i) {
      const char c = (*source)[i];
      if (c == '(' || c == '<') ++depth;
      if (c == ')' || c == '>') --depth;
      if (depth == 1 && c == ',') found.least_blocks = true;
      if (depth == 0) break;
    }
  }
  return found;
}

/// The most registers with which so many blocks fit; 0: none.
std::uint32_t registers_for(const SmLimits& limits, BlockNeeds needs, std::uint32_t blocks) {
  for (std::uint32_t r = needs.registers - 1; r >= fewest_registers; --r) {
    needs.registers = r;
    if (occupancy(limits, needs).blocks >= blocks) return r;
  }
  return 0;
}

EditProposal proposal_of(const SeenLaunch& seen, const SourceBounds& bounds,
                         std::uint32_t registers) {
  const Evaluation& evaluation = seen.evaluation;
  BlockNeeds needs = evaluation.launch->needs;
  const std::uint32_t now = needs.registers;
  const std::uint32_t warps = evaluation.launch->occupancy.warps;
  needs.registers = registers;
  EditProposal proposal;
  proposal.edit = "compile for at most " + std::to_string(registers) + " registers instead of " +
                  std::to_string(now) +
                  ": launch bounds, or -maxrregcount=" + std::to_string(registers);
  proposal.reason = "registers limit an SM to " + std::to_string(warps) + " of " +
                    std::to_string(evaluation.launch->gpu->limits.warps_per_sm) + " warps";
  if (seen.has_source()) {
    OtherCase other{seen.request, seen.options, false};
    other.request.compile_options.push_back("-maxrregcount=" + std::to_string(registers));
    // Beside launch bounds the compiler heeds no other limit: they become an attribute without one.
    if (bounds.any) other.request.compile_options.emplace_back("-Dlaunch_bounds(...)=unused");
    proposal.change = std::move(other);
    return proposal;
  }
  proposal.reason += ", " + std::to_string(registers) + " leave room for " +
                     std::to_string(occupancy(evaluation.launch->gpu->limits, needs).warps);
  proposal.condition = "the compiler needs no more";
  LaunchEdit edit;
  edit.registers = registers;
  proposal.change = std::move(edit);
  return proposal;
}

/// The toolkit's headers pass launch bounds on under a name that a macro can shorten (nvcc splits
/// its options at bare commas).
EditProposal without_least_blocks(const SeenLaunch& seen) {
  EditProposal proposal;
  proposal.edit = "give __launch_bounds__ the most threads alone, no least number of blocks";
  proposal.reason = "a least number of blocks holds the compiler to fewer registers";
  OtherCase other{seen.request, seen.options, false};
  other.request.compile_options.emplace_back(R"(-Dlaunch_bounds(t\,...)=launch_bounds(t))");
  proposal.change = std::move(other);
  return proposal;
}

}  // namespace

std::vector<EditProposal> RegisterEdit::proposals(const SeenLaunch& seen) const {
  const Evaluation& evaluation = seen.evaluation;
  const SmLimits& limits = evaluation.launch->gpu->limits;
  const Occupancy& now = evaluation.launch->occupancy;
  if (seen.options.registers) return {};
  const SourceBounds bounds = bounds_of(seen);
  std::vector<EditProposal> proposals;
  if (bounds.least_blocks) proposals.push_back(without_least_blocks(seen));
  if (!has(now.limiters, Limiter::registers)) return proposals;
  const std::uint32_t most = std::min({now.by_warps, now.by_shared, now.by_blocks});
  for (std::uint32_t blocks = now.blocks + 1; blocks <= most; ++blocks) {
    std::uint32_t registers = registers_for(limits, evaluation.launch->needs, blocks);
    if (seen.has_source()) registers -= registers % compiled_steps;
    if (registers < fewest_registers || blocks > now.blocks + most_tried) break;
    proposals.push_back(proposal_of(seen, bounds, registers));
  }
  return proposals;
}

}  // namespace forewarp::explain
