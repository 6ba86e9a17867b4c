// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/content.h"

namespace forewarp::report {

/// Lanes as letters: a row per lane, in every column the kind that takes most of its time, a key
/// below. Empty without lanes.
[[nodiscard]] std::vector<std::string> lane_lines(const Lanes& lanes, int width);

/// The course of something over time as one row of digits: tenths of the top of its scale.
[[nodiscard]] std::vector<std::string> course_lines(const Curve& curve, int width);

}  // namespace forewarp::report
