// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/policy_check.h"

#include "base/text.h"

namespace forewarp::timing {

std::string rate_warning(const PolicyChoice& policy, const Gpu& gpu, const LatencyRules& rules) {
  if (policy.policy != Policy::variable_rate || rules.use_control_words) return {};
  const double own = policy.rate * gpu.issue_interval;
  if (own >= rules.ilp) return {};
  return "one of every " + std::to_string(policy.rate) + " slots, " + significant(own) +
         " cycles apart, is more than a warp can use: its instructions follow each other after " +
         significant(rules.ilp) + " cycles";
}

}  // namespace forewarp::timing
