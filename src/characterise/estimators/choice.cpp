// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/choice.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/statistics.h"

namespace forewarp::characterise {
namespace {

void take_mean(Estimate& estimate) {
  std::vector<double> values;
  for (const EstimatePoint& point : estimate.points) values.push_back(point.value);
  estimate.value = mean_of(values);
  estimate.deviation = values.size() > 1 ? std::sqrt(variance_about(estimate.value, values))
                                         : estimate.points.front().deviation;
}

}  // namespace

void choose(Estimate& estimate, Choice choice) {
  std::vector<const EstimatePoint*> sorted;
  for (const EstimatePoint& point : estimate.points) sorted.push_back(&point);
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const EstimatePoint* a, const EstimatePoint* b) { return a->value < b->value; });
  if (choice == Choice::mean) {
    take_mean(estimate);
  } else {
    const EstimatePoint& chosen = choice == Choice::least  ? *sorted.front()
                                  : choice == Choice::most ? *sorted.back()
                                                           : *sorted[(sorted.size() - 1) / 2];
    estimate.value = chosen.value;
    estimate.deviation = chosen.deviation;
    if (sorted.size() > 1 && !chosen.config.empty()) estimate.note = "at " + chosen.config;
  }
  if (sorted.size() > 1) {
    if (!estimate.note.empty()) estimate.note += ", ";
    const char* what = choice == Choice::least    ? "the least of "
                       : choice == Choice::most   ? "the most of "
                       : choice == Choice::median ? "the median of "
                                                  : "the mean of ";
    estimate.note += what + std::to_string(sorted.size()) + " configurations";
  }
}

Diagnostic no_growth(const NumberRow& row, const Series& series) {
  return {row.fact, "the time of " + series.test + " does not grow with its work",
          "longer times for more of it", "measure more passes"};
}

Diagnostic unknown_part(const NumberRow& row, std::string_view parts) {
  return {row.fact, "'" + row.how + "' has no part '" + row.part + "'", std::string(parts), ""};
}

}  // namespace forewarp::characterise
