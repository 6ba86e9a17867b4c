// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/clock_edit.h"

#include <utility>

#include "base/text.h"

namespace forewarp::explain {

std::vector<EditProposal> ClockEdit::proposals(const SeenLaunch& seen) const {
  const double now = seen.evaluation.launch->clock.value();
  const double boost = seen.evaluation.launch->gpu->clock_boost_mhz;
  // Where power holds the clock, it does not go up.
  if (boost <= now || seen.evaluation.power.limit_w > 0) return {};
  OtherCase other{seen.request, seen.options, false};
  other.options.clock = ClockChoice{ClockChoice::Kind::boost, 0};
  EditProposal proposal;
  proposal.edit = "run at the boost clock, " + significant(boost, 4) + " MHz";
  proposal.reason = "the prediction is for " + significant(now, 4) + " MHz";
  proposal.condition = "power and cooling let it";
  proposal.change = std::move(other);
  return {std::move(proposal)};
}

}  // namespace forewarp::explain
