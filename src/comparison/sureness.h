// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "result/result.h"

namespace forewarp::comparison {

/// A predicted time with its interval, in ms; an interval of one point: none is known.
struct TimeRange {
  double ms = 0, low = 0, high = 0;
};
[[nodiscard]] TimeRange range_of(const Result& result);

/// How sure it is that two times differ: "clear" where the intervals lie apart, "likely" where a
/// time lies outside the other's interval, else "uncertain"; empty where one has no interval.
[[nodiscard]] std::string sureness(const TimeRange& a, const TimeRange& b);

}  // namespace forewarp::comparison
