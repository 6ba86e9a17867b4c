// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "result/result.h"
#include "result/validation.h"
#include "sweep/results_table.h"

namespace forewarp::store {

/// The figures of point_columns() that a result has; cells of what it lacks are empty.
[[nodiscard]] TableRow figures_of(const Result& result);

/// Of a point of a validation or of a tuning space.
[[nodiscard]] TableRow figures_of(const ScoredPoint& point);

}  // namespace forewarp::store
