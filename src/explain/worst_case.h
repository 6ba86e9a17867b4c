// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/prepared.h"
#include "request/predict_options.h"

namespace forewarp::explain {

/// An upper bound on a launch of one block on one SM: along the ways that its warps were executed
/// on or, where nothing was executed, along all ways that control flow and loop bounds allow.
/// Refuses, with its reason, what has no proven bound.
Expected<Result::WorstCase> worst_case(const Prepared& prepared, const PredictOptions& options);

}  // namespace forewarp::explain
