// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "base/expected.h"
#include "characterise/estimators/choice.h"

namespace forewarp::characterise {

/// What a configuration's line says; its configuration is filled in.
using LineResult = std::function<EstimatePoint(const StraightLine& line)>;

/// A point for each series, from its time_line().
Expected<Estimate> estimate_lines(const Expected<std::vector<Series>>& series,
                                  const Evidence& evidence, bool cycles, const LineResult& result,
                                  Choice choice);

/// The slope for each unit of the row's work.
[[nodiscard]] LineResult slope_of_work(const NumberRow& row);

}  // namespace forewarp::characterise
