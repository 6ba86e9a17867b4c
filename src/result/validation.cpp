// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/validation.h"

#include <algorithm>
#include <cmath>

namespace forewarp::result {

std::vector<const ScoredPoint*> worst_points(const ValidatedSet& set, std::size_t count) {
  std::vector<const ScoredPoint*> points;
  for (const ScoredPoint& point : set.points) {
    if (point.apart.empty() && point.timed()) points.push_back(&point);
  }
  std::stable_sort(points.begin(), points.end(), [](const ScoredPoint* a, const ScoredPoint* b) {
    return std::fabs(a->relative_error()) > std::fabs(b->relative_error());
  });
  points.resize(std::min(count, points.size()));
  return points;
}

}  // namespace forewarp::result
