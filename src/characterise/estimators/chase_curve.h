// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "characterise/estimators/evidence.h"

namespace forewarp::characterise {

/// Cycles of one access of a pointer chase over so many bytes.
struct ChasePoint {
  double bytes = 0, cycles = 0, deviation = 0;
};

/// Points in a row whose latency does not change; indices of the curve, both inclusive.
struct FlatPart {
  std::size_t first = 0, last = 0;
  double cycles = 0;     ///< median
  double deviation = 0;  ///< of the points, and of the repeats
};

/// Latency over size, ascending, and its flat parts: runs of at least two points within a
/// thirtieth of the first, each at least a tenth above the one before.
struct ChaseCurve {
  std::vector<ChasePoint> points;
  std::vector<FlatPart> flat;
};
[[nodiscard]] ChaseCurve chase_curve(std::vector<ChasePoint> points);

/// The curve that a row's records show. Fails for records that have no clock, and where the level
/// that the row asks for is not there.
Expected<ChaseCurve> chase_of(const NumberRow& row, const Evidence& evidence);

}  // namespace forewarp::characterise
