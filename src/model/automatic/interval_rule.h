// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::model {

/// What decides how sure a time of `auto` is. No name of a kernel or board is among it.
struct IntervalFacts {
  double added_share = 0;        ///< of the time: what launching and timing add
  double waves = 0;              ///< of blocks
  double local_share = 0;        ///< of the sectors that reach L2: local memory's
  std::string_view limited_by;   ///< "latency", "dram", or another resource
  bool executed = true;          ///< else counts come from the analysis alone
  bool memory_measured = false;  ///< the reached bandwidth of this mix, on this memory
  bool clock_known = false;      ///< stated, or measured on this board
  /// Time of a closed form over that of the simulation that is taken; 1 where one of them ran.
  double other_over_chosen = 1;
  double sampled_error = 0;  ///< relative, 95 %: of what a sample of blocks or windows stands for
  std::vector<std::string_view> named;  ///< ids of assumptions and kinds of findings
};

/// The class whose residuals stand for such a launch: "short" (one wave at most, or mostly launch
/// cost), "local memory", "latency", "memory", "memory, not measured" (of which no stream was
/// measured), "memory path" (L1, L2 and what lies between), "pipes"; "static" whatever it is
/// limited by.
[[nodiscard]] std::string interval_class(const IntervalFacts& facts);

/// Whether the time hangs on the clock: then a clock that nobody measured widens the interval.
[[nodiscard]] bool clock_decides(const IntervalFacts& facts);

/// Where measured times lie over predicted ones: quantiles of measured / predicted.
struct IntervalClass {
  double low = 1, high = 1;
  double points = 0;
  double sources = 0;     ///< independent sets of measurements behind it
  std::string because{};  ///< of a widening: the words for people
};

/// data/intervals.toml: made by scripts/intervals from `validate --format json`.
struct IntervalTable {
  double level = 0;  ///< share of measurements that an interval should hold
  std::map<std::string, IntervalClass, std::less<>> classes;
  IntervalClass clock;  ///< of a clock that follows from a rule
  /// By id of an assumption or kind of a finding: what it adds to the width.
  std::map<std::string, IntervalClass, std::less<>> widenings;

  /// The class itself, else the class before its comma, else all of them together.
  [[nodiscard]] const IntervalClass& of(std::string_view name) const;
};

struct TimeInterval {
  std::array<double, 2> ms{};
  std::string meaning;
};

/// Half-widths multiply; those of independent causes add as squares of their logarithms. Models
/// that differ by more than `models_differ` are both inside.
inline constexpr double models_differ = 0.15;
[[nodiscard]] TimeInterval interval_of(double time_ms, const IntervalFacts& facts,
                                       const IntervalTable& table);

}  // namespace forewarp::model
