// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/expected.h"
#include "launch/prepared.h"
#include "model/automatic/automatic_rule.h"

namespace forewarp::explain {

/// The predictions of every model run of a prepared launch, and which of them is taken.
struct Evaluated {
  Demand demand;
  std::vector<Prediction> predictions;  ///< parallel to Prepared::runs
  std::vector<Candidate> candidates;    ///< the same as the rule of `auto` sees them
  std::size_t chosen = 0;
  /// If `auto` ran a closed form and a simulation: the time not taken over the time taken; else 1.
  double other_over_chosen = 1;
};

/// Runs formulas first; a simulation only if the rule of `auto` asks for it (automatic_rule.h) or
/// if it was named. Refuses a launch for which no model gives a time.
[[nodiscard]] Expected<Evaluated> evaluate(const Prepared& prepared);

/// Whether `auto` may take this time: the model applies, and the time is finite and above 0.
[[nodiscard]] bool usable(const ModelRun& run, const Prediction& prediction);

/// The message when no model's time can be used.
[[nodiscard]] Diagnostic no_usable_model(const Prepared& prepared);

}  // namespace forewarp::explain
