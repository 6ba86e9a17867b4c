// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/shared_edit.h"

#include <algorithm>
#include <utility>

#include "binding/occupancy.h"

namespace forewarp::explain {
namespace {

constexpr double least_left = 0.5;  // of what it takes: below, the block does other work

/// The most bytes with which one block more fits; 0: none within the limit.
std::uint32_t bytes_for_one_more(const SmLimits& limits, BlockNeeds needs, std::uint32_t blocks) {
  const std::uint32_t all = needs.static_shared + needs.dynamic_shared;
  const std::uint32_t unit = std::max(4U, limits.shared_unit);
  needs.static_shared = 0;
  for (std::uint32_t bytes = all / unit * unit; bytes >= least_left * all; bytes -= unit) {
    needs.dynamic_shared = bytes;
    if (occupancy(limits, needs).blocks > blocks) return bytes;
    if (bytes < unit) break;
  }
  return 0;
}

}  // namespace

std::vector<EditProposal> SharedEdit::proposals(const SeenLaunch& seen) const {
  const Launch& draft = *seen.evaluation.launch;
  const SmLimits& limits = seen.evaluation.launch->gpu->limits;
  if (draft.occupancy.limiters != Limiter::shared) return {};
  const std::uint32_t all = draft.needs.static_shared + draft.needs.dynamic_shared;
  const std::uint32_t bytes = bytes_for_one_more(limits, draft.needs, draft.occupancy.blocks);
  if (bytes == 0) return {};
  auto code = std::make_shared<Kernel>(*seen.evaluation.launch->code.kernel);
  code->resources.static_shared = 0;
  BlockNeeds needs = draft.needs;
  needs.static_shared = 0;
  needs.dynamic_shared = bytes;
  EditProposal proposal;
  proposal.edit = "take at most " + std::to_string(bytes) + " bytes of shared memory per block " +
                  "instead of " + std::to_string(all);
  proposal.reason = "shared memory limits an SM to " + std::to_string(draft.occupancy.warps) +
                    " of " + std::to_string(limits.warps_per_sm) + " warps, that leaves room for " +
                    std::to_string(occupancy(limits, needs).warps);
  proposal.condition = "the block does the same work with less of it";
  LaunchEdit edit;
  edit.code = std::move(code);
  edit.dynamic_shared = bytes;
  proposal.change = std::move(edit);
  return {std::move(proposal)};
}

}  // namespace forewarp::explain
