// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "scores/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/statistics.h"

namespace forewarp::scores {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double mean = static_cast<double>(begin + end + 1) / 2;
    for (std::size_t i = begin; i < end; ++i) result[order[i]] = mean;
    begin = end;
  }
  return result;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean_of(a), mean_b = mean_of(b);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : none;
}

int sign(double value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

}  // namespace

double mean_error(std::span<const ScorePair> pairs, double factor) {
  double sum = 0;
  for (const ScorePair& pair : pairs) {
    sum += std::fabs(factor * pair.predicted - pair.measured) / pair.measured;
  }
  return sum / static_cast<double>(pairs.size());
}

double best_factor(std::span<const ScorePair> pairs) {
  std::vector<std::pair<double, double>> ratios;  // t/p and its weight p/t
  double total = 0;
  for (const ScorePair& pair : pairs) {
    ratios.emplace_back(pair.measured / pair.predicted, pair.predicted / pair.measured);
    total += ratios.back().second;
  }
  std::sort(ratios.begin(), ratios.end());
  double sum = 0;
  for (const auto& [ratio, weight] : ratios) {
    sum += weight;
    if (sum >= total / 2) return ratio;
  }
  return 1;
}

double spearman(std::span<const ScorePair> pairs) {
  if (pairs.size() < 2) return none;
  std::vector<double> measured, predicted;
  for (const ScorePair& pair : pairs) {
    measured.push_back(pair.measured);
    predicted.push_back(pair.predicted);
  }
  return correlation(ranks(measured), ranks(predicted));
}

double kendall(std::span<const ScorePair> pairs) {
  double agree = 0, measured_differ = 0, predicted_differ = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const int measured = sign(pairs[i].measured - pairs[k].measured);
      const int predicted = sign(pairs[i].predicted - pairs[k].predicted);
      agree += measured * predicted;
      measured_differ += measured * measured;
      predicted_differ += predicted * predicted;
    }
  }
  const double scale = std::sqrt(measured_differ * predicted_differ);
  return scale > 0 ? agree / scale : none;
}

double regret(std::span<const ScorePair> pairs, std::size_t tried) {
  if (pairs.empty() || tried == 0) return none;
  std::vector<ScorePair> order(pairs.begin(), pairs.end());
  std::sort(order.begin(), order.end(), [](const ScorePair& a, const ScorePair& b) {
    return a.predicted != b.predicted ? a.predicted < b.predicted : a.measured > b.measured;
  });
  double least = order.front().measured;
  for (const ScorePair& pair : order) least = std::min(least, pair.measured);
  if (tried == 1) {
    double sum = 0;
    std::size_t equal = 0;
    while (equal < order.size() && order[equal].predicted == order.front().predicted) {
      sum += order[equal++].measured;
    }
    return sum / static_cast<double>(equal) / least - 1;
  }
  double best = order.front().measured;
  for (std::size_t i = 0; i < std::min(tried, order.size()); ++i) {
    best = std::min(best, order[i].measured);
  }
  return best / least - 1;
}

Scores scores_of(std::span<const ScorePair> pairs) {
  Scores scores;
  scores.points = pairs.size();
  if (pairs.empty()) {
    const Scores without{0,    none, none, none, none, none, none,
                         none, none, none, none, none, none, none};
    return without;
  }
  const auto count = static_cast<double>(pairs.size());
  std::vector<double> errors;
  double logs = 0;
  for (const ScorePair& pair : pairs) {
    const double error = (pair.predicted - pair.measured) / pair.measured;
    errors.push_back(std::fabs(error));
    scores.bias += error / count;
    logs += std::log(pair.predicted / pair.measured) / count;
    scores.coverage += pair.low <= pair.measured && pair.measured <= pair.high ? 1 / count : 0;
    scores.width += (pair.high - pair.low) / pair.predicted / count;
  }
  scores.mape = mean_error(pairs);
  scores.ratio = std::exp(logs);
  scores.worst = *std::max_element(errors.begin(), errors.end());
  scores.p90 = quantile(std::move(errors), 0.9);
  scores.scaled_mape = mean_error(pairs, best_factor(pairs));
  scores.spearman = spearman(pairs);
  scores.kendall = kendall(pairs);
  scores.regret_1 = regret(pairs, 1);
  scores.regret_5 = regret(pairs, 5);
  scores.regret_10 = regret(pairs, 10);
  return scores;
}

}  // namespace forewarp::scores
