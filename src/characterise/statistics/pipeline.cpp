// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/pipeline.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace forewarp::characterise {

Expected<std::vector<double>> decimated(std::span<const double> values, std::size_t lanes,
                                        std::string_view what) {
  std::vector<double> kept;
  for (std::size_t begin = 0; begin < values.size(); begin += lanes) {
    if (values.size() - begin < lanes) {
      return Diagnostic{std::string(what), std::to_string(values.size()) + " values",
                        "a multiple of " + std::to_string(lanes), ""};
    }
    for (std::size_t i = begin; i < begin + lanes; ++i) {
      if (values[i] == values[begin]) continue;
      return Diagnostic{std::string(what),
                        "value " + std::to_string(i) + " is " + significant(values[i], 12) +
                            ", the first of its warp " + significant(values[begin], 12),
                        "equal values of the threads of a warp",
                        "measure threads that read the clock together"};
    }
    kept.push_back(values[begin]);
  }
  return kept;
}

Expected<Histogram> decimated(const Histogram& counted, std::size_t lanes, std::string_view what) {
  Histogram kept;
  for (const auto& [value, count] : counted) {
    if (count % lanes != 0) {
      return Diagnostic{
          std::string(what), std::to_string(count) + " times the value " + significant(value, 12),
          "a multiple of " + std::to_string(lanes) + ": equal values of the threads of a warp",
          "measure threads that read the clock together"};
    }
    kept.emplace_back(value, count / lanes);
  }
  return kept;
}

Histogram frequencies(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  Histogram counted;
  for (const double value : sorted) {
    if (counted.empty() || counted.back().first != value) counted.emplace_back(value, 0);
    ++counted.back().second;
  }
  return counted;
}

Expected<Pmf> distribution(std::span<const double> values, std::size_t lanes,
                           std::string_view what) {
  const auto kept = decimated(values, lanes, what);
  if (!kept) return kept.error();
  return Pmf::of(frequencies(*kept), what);
}

}  // namespace forewarp::characterise
