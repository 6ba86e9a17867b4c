// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "explain/what_if.h"
#include "result/result.h"

namespace forewarp::explain {

/// Where a warp's resident time goes, as shares of the predicted time that add up to 1. Parts are
/// taken away one after the other and the model runs again each time: launch, the last wave's tail,
/// barriers, the units from the tightest on (bandwidth stalls), then loads from the farthest level
/// on, shared memory and arithmetic latency (latency stalls); what is left is issuing. The split of
/// T into T - T(no rate limit) and T(no rate limit) - T(no latency either) is that of Burger,
/// Goodman and Kagi, ISCA 1996, as adopted by Volkov 2016, 3.9. If the model does not apply without
/// a part, that part and issuing stay together as "unresolved". Empty if it does not apply to the
/// launch itself.
[[nodiscard]] std::map<std::string, double> stall_shares(const Evaluation& evaluation,
                                                         const ModelRun& run,
                                                         const Prediction& prediction,
                                                         WhatIf& what_if);

/// Single what-ifs without those of caches that always hit, which the first screen names only if
/// nothing else helps: the same first row as counterfactuals() at a fraction of its cost. If none
/// of them helps, as counterfactuals().
[[nodiscard]] std::vector<Result::Counterfactual> best_counterfactuals(const Evaluation& evaluation,
                                                                       const ModelRun& run,
                                                                       const Prediction& prediction,
                                                                       WhatIf& what_if);

/// The time if something were free, by running the model again; only if it is shorter by more than
/// 0.5 %, best first. Then pairs that gain more together than one by one. What-ifs to which the
/// model does not apply, or for which it gives no time, are left out.
[[nodiscard]] std::vector<Result::Counterfactual> counterfactuals(const Evaluation& evaluation,
                                                                  const ModelRun& run,
                                                                  const Prediction& prediction,
                                                                  WhatIf& what_if);

}  // namespace forewarp::explain
