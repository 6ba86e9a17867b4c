// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/unseen_longest.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace forewarp::execution {
namespace {

constexpr double of_one_kind = 10;        // longest over shortest of the blocks that make the tail
constexpr std::size_t most_of_tail = 32;  // the longest of them tell most
constexpr std::size_t enough_for_shape = 8;
constexpr double reached = 0.99;     // of the longest: a bound that three reach
constexpr double smooth = 0.5;       // steps between neighbours over those between any two, squared
constexpr double exceeded = 0.0513;  // blocks, so that none is with 95 %: -ln 0.95

double squared(double value) {
  return value * value;
}

/// Whether those next to each other in the grid are more alike than any two (von Neumann's ratio).
bool follow_place(std::span<const DrawnLength> tail) {
  double sum = 0, squares = 0, steps = 0;
  for (const DrawnLength& one : tail) {
    sum += one.length;
    squares += squared(one.length);
    double nearest = std::numeric_limits<double>::infinity(), step = 0;
    for (const DrawnLength& other : tail) {
      double apart = 0;
      for (std::size_t axis = 0; axis < 3; ++axis)
        apart += squared(other.place[axis] - one.place[axis]);
      if (&other == &one || apart >= nearest) continue;
      nearest = apart;
      step = other.length - one.length;
    }
    steps += squared(step);
  }
  const auto count = static_cast<double>(tail.size());
  const double variance = squares / count - squared(sum / count);
  return tail.size() > 2 && steps / count < smooth * 2 * variance;
}

/// What lengths exceed the threshold by.
struct Tail {
  double threshold = 0, mean = 0;
  double shape = 0;  ///< 0: exponential; -1: uniform
  std::size_t count = 0;

  [[nodiscard]] double scale() const { return (1 - shape) * mean; }
  /// What one of so many of those beyond the threshold reaches.
  [[nodiscard]] double level(double one_of) const {
    const double log = std::log(one_of);
    const double grown = shape < 0 ? -std::expm1(shape * log) / -shape : log;
    return threshold + scale() * grown;
  }
  /// One of how many of them reaches this.
  [[nodiscard]] double one_of(double length) const {
    const double beyond = (length - threshold) / scale();
    if (!(shape < 0)) return std::exp(beyond);
    return std::pow(std::max(0.0, 1 + shape * beyond), 1 / shape);
  }
  /// The same with less certainty: wider and nearer to an exponential one by its standard errors.
  [[nodiscard]] Tail with_errors() const {
    const double error = 1 / std::sqrt(static_cast<double>(count));
    Tail wider = *this;
    wider.mean *= 1 + error;
    wider.shape = std::min(0.0, shape + 2 * (1 - shape) * error);
    return wider;
  }
};

/// `longest_first`: more than one.
Tail tail_of(std::span<const DrawnLength> longest_first) {
  Tail tail;
  tail.count = longest_first.size() - 1;
  tail.threshold = longest_first.back().length;
  double squares = 0;
  const auto count = static_cast<double>(tail.count);
  for (const DrawnLength& one : longest_first.first(tail.count)) {
    tail.mean += (one.length - tail.threshold) / count;
    squares += squared(one.length - tail.threshold) / count;
  }
  const double variance = squares - squared(tail.mean);
  if (tail.count >= enough_for_shape && variance > 0)
    tail.shape = std::clamp((1 - squared(tail.mean) / variance) / 2, -1.0, 0.0);
  return tail;
}

/// Mean of the longest of the known one and of blocks of which `beyond` exceed the threshold: the
/// integral of the chance that one exceeds a length, over the lengths beyond the known one. Over
/// the logarithm of the number that is left beyond a length.
double mean_of_longest(const Tail& tail, double known, double beyond) {
  constexpr int parts = 256;
  constexpr double least = -14;  // a chance of a millionth
  const double left = std::log(beyond / tail.one_of(known));
  if (!(left > least)) return known;
  double mean = known;
  const double part = (left - least) / parts;
  for (int i = 0; i < parts; ++i) {
    const double number = std::exp(least + (i + 0.5) * part);
    mean += tail.scale() * std::pow(number / beyond, -tail.shape) * -std::expm1(-number) * part;
  }
  return mean;
}

}  // namespace

UnseenLongest unseen_longest(std::span<const DrawnLength> drawn, double population, double known) {
  const auto looked = static_cast<double>(drawn.size());
  if (drawn.size() < 2 || population <= looked) return {};
  std::vector<DrawnLength> longest(drawn.begin(), drawn.end());
  std::ranges::sort(longest, std::greater<>(), &DrawnLength::length);
  const double met = longest.front().length;
  known = std::max(known, met);
  const auto reaches = [&](std::size_t i) {
    return i < longest.size() && longest[i].length >= reached * met;
  };
  if (!std::isfinite(known) || reaches(2)) return {known, known};
  std::size_t end = 1;
  while (end < std::min(longest.size(), most_of_tail + 1) &&
         longest[end].length * of_one_kind >= met)
    ++end;
  longest.resize(end);
  if (follow_place(longest)) return {known, known};
  const double unseen = (population - looked) / looked;
  // One alone may be the only one; if not, a mean as long as it is the best guess.
  if (end == 1) return {known, std::max(known, met * std::max(1.0, std::log(unseen / exceeded)))};
  const Tail tail = tail_of(longest);
  const double beyond = unseen * static_cast<double>(tail.count);
  const double most = std::max(known, tail.with_errors().level(beyond / exceeded));
  if (tail.count < enough_for_shape || reaches(1)) return {known, most};
  const double expected = mean_of_longest(tail, known, beyond);
  return {expected, std::max(expected, most)};
}

}  // namespace forewarp::execution
