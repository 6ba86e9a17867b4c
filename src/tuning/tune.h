// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/expected.h"
#include "driver/predictor.h"
#include "result/tuning.h"
#include "scores/predicted_points.h"
#include "tuning/measured_configurations.h"
#include "tuning/tuning_task.h"

namespace forewarp::tuning {

/// Seconds of counted work. All configurations are predicted within the first budget; then, to be
/// surer of the first choice, the best `refined` ones, and as many of those for which the first
/// budget did not suffice, are predicted within the second.
struct TuningBudget {
  double seconds = 0;
  std::size_t refined = 0;
  double refined_seconds = 0;
};

/// Predicts every configuration and ranks them best first, refined ones before the others. A
/// configuration whose block no board of this kind accepts is refused before anything is compiled.
Expected<Tuning> tune(Predictor& predictor, TuningTask task, const ValidationOptions& options,
                      const TuningBudget& budget);

/// Gives measured configurations their measured times, corrects the others by the residual model,
/// and ranks all again.
void correct(Tuning& tuning, const MeasuredConfigurations& measured);

/// The configurations to measure next (choose_next()).
void find_next(Tuning& tuning, std::size_t count);

}  // namespace forewarp::tuning
