// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "driver/predictor.h"
#include "prediction_options.h"

namespace forewarp::cli {

/// --cases: one JSON line out per line in, in order. Exit code 1 when a case failed.
Expected<int> run_cases(Predictor& predictor, const PredictionOptions& options,
                        const PredictOptions& choices);

/// --sweep: the cross product of the swept values, as a table or in the format asked.
Expected<int> run_sweep(Predictor& predictor, const PredictionOptions& options, const Case& request,
                        const PredictOptions& choices);

}  // namespace forewarp::cli
