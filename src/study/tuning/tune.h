// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/expected.h"
#include "driver/predictor.h"
#include "result/tuning.h"
#include "study/tuning/measured_configurations.h"
#include "study/tuning/tuning_task.h"
#include "study/validation/predicted_points.h"

namespace forewarp::study {

/// Seconds of counted work: all configurations are predicted within the first budget, and then, to
/// be surer of the first choice, the best `refined` of them and as many of those that it did not
/// suffice for within the second.
struct TuningBudget {
  double seconds = 0;
  std::size_t refined = 0;
  double refined_seconds = 0;
};

/// Predicts every configuration, best first; those that were not refined stand behind those that
/// were. A configuration whose block no board of its kind takes is refused before anything is
/// compiled.
Expected<Tuning> tune(Predictor& predictor, TuningTask task, const ValidationOptions& options,
                      const TuningBudget& budget);

/// Measured configurations take their measured times, and the residual model corrects the others;
/// the ranking is made anew.
void correct(Tuning& tuning, const MeasuredConfigurations& measured);

/// The configurations to measure next (choose_next()).
void find_next(Tuning& tuning, std::size_t count);

}  // namespace forewarp::study
