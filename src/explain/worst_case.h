// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "prediction/evaluation.h"
#include "request/predict_options.h"

namespace forewarp::explain {

/// An upper bound of the time of a launch of one block on one SM: along the paths that its warps
/// executed or, if nothing was executed, along all paths that control flow and loop bounds allow.
/// Refuses what has no proven bound, with the reason.
Expected<Result::WorstCase> worst_case(const Evaluation& evaluation, const PredictOptions& options);

}  // namespace forewarp::explain
