// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/expected.h"
#include "launch/prepared.h"
#include "model/automatic/automatic_rule.h"

namespace forewarp::launch {

/// What every model run of a prepared launch says of its time, and which of them is taken.
struct Evaluated {
  Demand demand;
  std::vector<Prediction> predictions;  ///< parallel to Prepared::runs
  std::vector<Candidate> candidates;    ///< the same as the rule of `auto` sees them
  std::size_t chosen = 0;
  /// Where `auto` ran a closed form and a simulation: the time of the one that is not taken over
  /// that of the one that is; 1 where only one was run.
  double other_over_chosen = 1;
};

/// Formulas first; a simulation only where the rule of `auto` asks for it (automatic_rule.h) or it
/// was named. Refused where nothing gives a time.
[[nodiscard]] Expected<Evaluated> evaluate(const Prepared& prepared);

/// Whether `auto` may take this time: the model applies, and the time is finite and above 0.
[[nodiscard]] bool usable(const ModelRun& run, const Prediction& prediction);

/// Why no model's time can be used.
[[nodiscard]] Diagnostic no_usable_model(const Prepared& prepared);

}  // namespace forewarp::launch
