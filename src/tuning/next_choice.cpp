// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/next_choice.h"

#include <algorithm>
#include <cmath>

namespace forewarp::tuning {

namespace {

/// Share of a variance that measuring the same configuration leaves.
constexpr double left_by_measuring = 0.01;

/// Variances of configurations under what was measured: the steps of a Cholesky factorisation, one
/// for each measurement.
class Knowledge {
 public:
  Knowledge(const Likeness& likeness, const std::vector<double>& unsure)
      : likeness_(likeness), unsure_(unsure) {
    for (const double deviation : unsure) variance_.push_back(deviation * deviation);
  }

  [[nodiscard]] double deviation(std::size_t point) const {
    return std::sqrt(std::max(0.0, variance_[point]));
  }

  void measure(std::size_t point) {
    const double noise = left_by_measuring * unsure_[point] * unsure_[point];
    const double own = variance_[point] + noise;
    if (!(own > 0)) return;
    std::vector<double> column(unsure_.size(), 0.0);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (unsure_[i] == 0) continue;
      const double alike = likeness_(i, point);
      double sum = unsure_[i] * unsure_[point] * alike * alike;
      for (const auto& earlier : columns_) sum -= earlier[i] * earlier[point];
      column[i] = sum / std::sqrt(own);
    }
    for (std::size_t i = 0; i < column.size(); ++i) variance_[i] -= column[i] * column[i];
    columns_.push_back(std::move(column));
  }

 private:
  const Likeness& likeness_;
  const std::vector<double>& unsure_;
  std::vector<double> variance_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace

std::vector<std::size_t> choose_next(const Likeness& likeness,
                                     const std::vector<double>& expected_ms,
                                     const std::vector<double>& unsure,
                                     const std::vector<std::size_t>& measured, std::size_t count) {
  Knowledge knowledge(likeness, unsure);
  std::vector<bool> taken(expected_ms.size(), false);
  for (const std::size_t point : measured) {
    taken[point] = true;
    knowledge.measure(point);
  }
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    std::size_t best = expected_ms.size();
    double least = 0;
    for (std::size_t i = 0; i < expected_ms.size(); ++i) {
      if (taken[i] || !(expected_ms[i] > 0)) continue;
      const double bound = std::log(expected_ms[i]) - knowledge.deviation(i);
      if (best == expected_ms.size() || bound < least) {
        best = i;
        least = bound;
      }
    }
    if (best == expected_ms.size()) break;
    taken[best] = true;
    chosen.push_back(best);
    knowledge.measure(best);
  }
  return chosen;
}

}  // namespace forewarp::tuning
