// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/validation.h"

#include <algorithm>
#include <random>
#include <utility>

namespace forewarp::validation {

namespace {

/// Deals the measurements out anew among all points.
void shuffle_measured(std::vector<ScoredPoint>& points, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = points.size(); i-- > 1;) {
    std::swap(points[i].measured_ms, points[random() % (i + 1)].measured_ms);
  }
}

/// A measurement by its id and its time.
PointAxes axes_of(const MeasuredSet& set) {
  return {{"id", "measured_ms"}, [&set](std::size_t index) -> TableRow {
            const MeasuredPoint& point = set.points[index];
            TableRow cells{point.id, std::monostate{}};
            if (point.request.measured_ms) cells[1] = *point.request.measured_ms;
            return cells;
          }};
}

}  // namespace

Expected<ValidatedSet> validate(Predictor& predictor, const MeasuredSet& set,
                                const ValidationOptions& options) {
  auto predicted = predict_points(predictor, set, options, axes_of(set));
  if (!predicted) return std::move(predicted).error();
  ValidatedSet validated;
  validated.name = set.name;
  validated.title = set.title;
  validated.source = set.source;
  validated.notes = set.notes;
  validated.reference = set.reference;
  validated.points = std::move(predicted->points);
  validated.resumed = predicted->resumed;
  if (options.shuffle) shuffle_measured(validated.points, *options.shuffle);
  score(validated);
  compare_counters(options.counters, validated);
  return validated;
}

std::vector<Result> worst_results(Predictor& predictor, const MeasuredSet& set,
                                  const ValidatedSet& validated, const ValidationOptions& options,
                                  std::size_t count) {
  std::vector<Result> results;
  for (const ScoredPoint* point : worst_points(validated, count)) {
    for (const MeasuredPoint& measured : set.points) {
      if (measured.id != point->id) continue;
      auto result = predict_measured(predictor, set, measured, options, {true, false, false});
      if (!result) continue;
      result->id = point->id;
      results.push_back(std::move(*result));
    }
  }
  return results;
}

}  // namespace forewarp::validation
