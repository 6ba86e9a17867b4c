// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/points/measured_set.h"

#include <algorithm>
#include <random>
#include <utility>

namespace forewarp::measured {

std::vector<std::size_t> drawn_rows(std::size_t all, std::size_t rows, std::uint64_t seed) {
  // The library's distributions differ between implementations: a draw must not.
  std::mt19937_64 random(seed);
  std::vector<std::size_t> order(all);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (rows == 0 || rows >= all) return order;
  for (std::size_t i = 0; i < rows; ++i) {
    std::swap(order[i], order[i + random() % (order.size() - i)]);
  }
  order.resize(rows);
  std::sort(order.begin(), order.end());
  return order;
}

void draw_rows(MeasuredSet& set, std::size_t rows, std::uint64_t seed) {
  std::vector<MeasuredPoint> drawn;
  for (const std::size_t i : drawn_rows(set.points.size(), rows, seed)) {
    drawn.push_back(std::move(set.points[i]));
  }
  set.points = std::move(drawn);
}

}  // namespace forewarp::measured
