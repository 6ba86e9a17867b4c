// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/series_lines.h"

namespace forewarp::characterise {

Expected<Estimate> estimate_lines(const Expected<std::vector<Series>>& series,
                                  const Evidence& evidence, bool cycles, const LineResult& result,
                                  Choice choice) {
  if (!series) return series.error();
  Estimate made;
  for (const Series& one : *series) {
    const auto line = time_line(one, evidence, cycles);
    if (!line) return line.error();
    made.points.push_back(result(*line));
    made.points.back().config = one.config;
  }
  choose(made, choice);
  return made;
}

LineResult slope_of_work(const NumberRow& row) {
  return [work = row.work.value_or(1)](const StraightLine& line) {
    return EstimatePoint{"", line.slope / work, line.slope_deviation / work};
  };
}

}  // namespace forewarp::characterise
