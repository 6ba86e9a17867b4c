// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/sureness.h"

namespace forewarp::comparison {
namespace {

bool outside(double ms, const TimeRange& range) {
  return ms < range.low || ms > range.high;
}

}  // namespace

TimeRange range_of(const Result& result) {
  return {result.time_ms, result.interval_ms[0], result.interval_ms[1]};
}

std::string sureness(const TimeRange& a, const TimeRange& b) {
  if (a.high <= a.low || b.high <= b.low) return "";
  if (a.high < b.low || b.high < a.low) return "clear";
  return outside(a.ms, b) || outside(b.ms, a) ? "likely" : "uncertain";
}

}  // namespace forewarp::comparison
