// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result/result.h"

namespace forewarp::result {

/// A part of the change of time, found by giving one side's number the other's value and running
/// the model again.
struct TimeFactor {
  std::string id;                ///< "clock", "occupancy", "latency", "traffic", a resource's name
  std::string label;             ///< "device memory traffic"
  double factor = 1;             ///< on the time; the factors of a comparison multiply to its ratio
  double before = 0, after = 0;  ///< of the number itself, where it is one number
  std::string unit;              ///< of it: "bytes per warp"; empty: no one number

  static constexpr std::string_view bound_unit = "cycles per warp";  ///< of what limits the rate
  /// Whether it limits one side alone: there is no number of the other.
  [[nodiscard]] bool vanishes() const { return unit == bound_unit && before > 0 && !(after > 0); }
  [[nodiscard]] bool appears() const { return unit == bound_unit && after > 0 && !(before > 0); }
};

/// Two predictions side by side, and why they differ. `a` and `b` carry no listing.
struct Comparison {
  std::string id;  ///< of the cases; empty outside case files
  Result a, b;
  double ratio = 0;                 ///< time of B over A; 0: one of them has none
  std::string sure;                 ///< of the difference: clear, likely, uncertain; empty: unknown
  std::vector<TimeFactor> factors;  ///< the largest first
  std::string answer;               ///< one line
  std::vector<std::string> reasons;  ///< sentences, each from facts of both results

  [[nodiscard]] bool compared() const { return !a.error && !b.error; }
};

/// All comparisons of one run.
struct Comparisons {
  std::vector<Comparison> pairs;
  std::vector<std::string> vanished, added;  ///< ids in A alone, in B alone
  double fail_above = -1;                    ///< share; negative: no gate
  std::vector<std::string> failures;         ///< what the gate refuses, a line each
};

/// One JSON object, schema "forewarp.comparison/1" (docs/compare.md), ending in a newline.
[[nodiscard]] std::string to_json(const Comparisons& comparisons);

}  // namespace forewarp::result
