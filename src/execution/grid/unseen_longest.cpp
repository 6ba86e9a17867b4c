// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/unseen_longest.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <vector>

namespace forewarp::execution {
namespace {

constexpr double of_one_kind = 10;        // longest over shortest of the blocks that make the tail
constexpr std::size_t most_of_tail = 32;  // the longest of them tell most
constexpr std::size_t enough_for_shape = 8;
constexpr double reached = 0.99;  // of the longest: a bound that several reach
constexpr double smooth = 0.5;    // steps between neighbours over those between any two, squared
constexpr double late = 3;        // of Gumbel's variate, 95 %
constexpr double standard_errors = 2;

/// Whether of the lengths from `least` on neighbours are more alike than any two (von Neumann's
/// ratio).
bool follow_index(std::span<const double> lengths, double least) {
  double count = 0, sum = 0, squares = 0, steps = 0, before = 0;
  for (const double length : lengths) {
    if (length < least) continue;
    if (count > 0) steps += (length - before) * (length - before);
    before = length;
    ++count;
    sum += length;
    squares += length * length;
  }
  const double variance = squares / count - (sum / count) * (sum / count);
  return count > 2 && steps / (count - 1) < smooth * 2 * variance;
}

/// What lengths exceed the threshold by.
struct Tail {
  double threshold = 0, mean = 0;
  double shape = 0;  ///< 0: exponential; -1: uniform
  std::size_t count = 0;

  /// Exceeded by one in e^`log` of them.
  [[nodiscard]] double level(double log) const {
    const double grown = shape < 0 ? -std::expm1(shape * log) / -shape : log;
    return (1 - shape) * mean * grown;
  }
};

/// `longest_first`: more than one.
Tail tail_of(const std::vector<double>& longest_first) {
  std::size_t end = 1;
  while (end < std::min(longest_first.size(), most_of_tail + 1) &&
         longest_first[end] * of_one_kind >= longest_first.front())
    ++end;
  Tail tail;
  tail.count = end - 1;
  tail.threshold = longest_first[tail.count];
  double squares = 0;
  for (std::size_t i = 0; i < tail.count; ++i) {
    const double excess = longest_first[i] - tail.threshold;
    tail.mean += excess / static_cast<double>(tail.count);
    squares += excess * excess / static_cast<double>(tail.count);
  }
  const double variance = squares - tail.mean * tail.mean;
  if (tail.count >= enough_for_shape && variance > 0)
    tail.shape = std::clamp((1 - tail.mean * tail.mean / variance) / 2, -1.0, 0.0);
  return tail;
}

}  // namespace

UnseenLongest unseen_longest(std::span<const double> lengths, double blocks, double known) {
  const auto looked = static_cast<double>(lengths.size());
  if (lengths.size() < 2 || blocks <= looked) return {};
  std::vector<double> sorted(lengths.begin(), lengths.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const bool bound = sorted[1] >= reached * sorted.front();
  if (!std::isfinite(sorted.front()) || bound) return {};
  if (follow_index(lengths, sorted.front() / of_one_kind)) return {};
  const Tail tail = tail_of(sorted);
  const double longest = std::max(known, sorted.front());
  // One alone may be the only one; if not, a mean as long as it is the best guess.
  if (tail.count == 0)
    return {1, std::max(1.0, (std::log(blocks / looked) + late) * sorted.front() / longest)};
  const auto count = static_cast<double>(tail.count);
  const double all = std::log(count * blocks / looked);
  const double expected = tail.threshold + tail.level(all + std::numbers::egamma);
  const double most =
      tail.threshold + (1 + standard_errors / std::sqrt(count)) * tail.level(all + late);
  UnseenLongest unseen;
  unseen.expected = std::max(1.0, expected / longest);
  unseen.most = std::max(unseen.expected, most / longest);
  return unseen;
}

}  // namespace forewarp::execution
