// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/samples/record.h"

#include <cmath>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

/// The sample at `rank`, counted from 0 in ascending order.
double ranked(const Histogram& samples, std::uint64_t rank) {
  for (const auto& [value, count] : samples) {
    if (rank < count) return value;
    rank -= count;
  }
  return samples.back().first;
}

}  // namespace

std::optional<double> Record::number(std::string_view key) const {
  for (const auto& [name, value] : config) {
    if (name == key) return parse_number(value);
  }
  return {};
}

std::string Record::config_without(std::string_view key) const {
  std::string text;
  for (const auto& [name, value] : config) {
    if (name == key) continue;
    if (!text.empty()) text += ',';
    text += name;
    text += '=';
    text += value;
  }
  return text;
}

Centre centre_of(const Histogram& samples) {
  Centre centre;
  double sum = 0;
  for (const auto& [value, count] : samples) {
    centre.count += count;
    sum += value * static_cast<double>(count);
  }
  if (centre.count == 0) return centre;
  const auto total = static_cast<double>(centre.count);
  centre.mean = sum / total;
  const std::uint64_t half = centre.count / 2;
  centre.median = centre.count % 2 == 1 ? ranked(samples, half)
                                        : (ranked(samples, half - 1) + ranked(samples, half)) / 2;
  double squares = 0;
  for (const auto& [value, count] : samples) {
    squares += (value - centre.mean) * (value - centre.mean) * static_cast<double>(count);
  }
  if (centre.count > 1) centre.deviation = std::sqrt(squares / (total - 1));
  return centre;
}

}  // namespace forewarp::characterise
