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
constexpr std::size_t most_tried = 4;

/// The most registers with which so many blocks fit; 0: none.
std::uint32_t registers_for(const SmLimits& limits, BlockNeeds needs, std::uint32_t blocks) {
  for (std::uint32_t r = needs.registers - 1; r >= fewest_registers; --r) {
    needs.registers = r;
    if (occupancy(limits, needs).blocks >= blocks) return r;
  }
  return 0;
}

EditProposal proposal_of(const SeenLaunch& seen, std::uint32_t registers) {
  const Prepared& prepared = seen.prepared;
  BlockNeeds needs = prepared.draft().needs;
  const std::uint32_t now = needs.registers;
  const std::uint32_t warps = prepared.draft().occupancy.warps;
  needs.registers = registers;
  EditProposal proposal;
  proposal.edit = "compile for at most " + std::to_string(registers) + " registers instead of " +
                  std::to_string(now) +
                  ": launch bounds, or -maxrregcount=" + std::to_string(registers);
  proposal.reason = "registers limit an SM to " + std::to_string(warps) + " of " +
                    std::to_string(prepared.gpu().limits.warps_per_sm) + " warps";
  if (seen.has_source()) {
    OtherCase other{seen.request, seen.options, false};
    other.request.compile_options.push_back("-maxrregcount=" + std::to_string(registers));
    proposal.change = std::move(other);
    return proposal;
  }
  proposal.reason += ", " + std::to_string(registers) + " leave room for " +
                     std::to_string(occupancy(prepared.gpu().limits, needs).warps);
  proposal.condition = "the compiler needs no more";
  LaunchEdit edit;
  edit.registers = registers;
  proposal.change = std::move(edit);
  return proposal;
}

}  // namespace

/// A least number of blocks in launch bounds holds registers down; the toolkit's headers pass the
/// bounds on under a name that a macro can shorten (nvcc splits its options at bare commas).
std::vector<EditProposal> without_least_blocks(const SeenLaunch& seen) {
  const auto source = seen.has_source() ? read_file(seen.request.input) : Expected<std::string>("");
  if (!source || source->find("__launch_bounds__") == std::string::npos) return {};
  EditProposal proposal;
  proposal.edit = "state no least number of blocks in __launch_bounds__";
  proposal.reason = "launch bounds may hold the compiler to fewer registers than it would take";
  OtherCase other{seen.request, seen.options, false};
  other.request.compile_options.emplace_back(R"(-Dlaunch_bounds(t\,...)=launch_bounds(t))");
  proposal.change = std::move(other);
  return {std::move(proposal)};
}

std::vector<EditProposal> RegisterEdit::proposals(const SeenLaunch& seen) const {
  const Prepared& prepared = seen.prepared;
  const SmLimits& limits = prepared.gpu().limits;
  const Occupancy& now = prepared.draft().occupancy;
  if (seen.options.registers) return {};
  std::vector<EditProposal> proposals = without_least_blocks(seen);
  if (!has(now.limiters, Limiter::registers)) return proposals;
  const std::uint32_t most = std::min({now.by_warps, now.by_shared, now.by_blocks});
  for (std::uint32_t blocks = now.blocks + 1; blocks <= most; ++blocks) {
    std::uint32_t registers = registers_for(limits, prepared.draft().needs, blocks);
    if (seen.has_source()) registers -= registers % compiled_steps;
    if (registers < fewest_registers || proposals.size() == most_tried) break;
    proposals.push_back(proposal_of(seen, registers));
  }
  return proposals;
}

}  // namespace forewarp::explain
