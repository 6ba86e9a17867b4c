// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/resource_role.h"

namespace forewarp::model {

/// What decides how wide the interval around a time of `auto` is: no names of kernels or boards.
struct IntervalFacts {
  double added_share = 0;  ///< share of the time that launching and timing add
  double waves = 0;        ///< waves of blocks
  double local_share = 0;  ///< local memory's share of the sectors that reach L2
  ResourceRole limited_by = ResourceRole::latency;
  bool executed = true;          ///< false: counts come from the analysis alone
  bool memory_measured = false;  ///< the bandwidth was measured for this mix on this memory
  bool clock_known = false;      ///< the clock was given, or measured on this board
  /// Time of the closed form over that of the simulation taken; 1 if only one of them ran.
  double other_over_chosen = 1;
  /// Time that the longest of the blocks that nobody looked at may take, over that of the launch.
  double longest_unseen = 1;
  double sampled_error = 0;  ///< relative error of the sampled blocks or windows, 95 %
  std::string_view sampled_what = "counts";  ///< what that is the error of
  std::vector<std::string_view> named;       ///< ids of assumptions and kinds of findings
};

/// The class whose residuals apply to such a launch: "short" (one wave at most, or mostly launch
/// cost), "local memory", "latency", "memory", "memory, not measured" (no stream was measured on
/// it), "memory path" (L1, L2 and what lies between), "pipes"; without an execution always
/// "static".
[[nodiscard]] std::string interval_class(const IntervalFacts& facts);

/// Whether the time depends on the clock: then a clock that was not measured widens the interval.
[[nodiscard]] bool clock_decides(const IntervalFacts& facts);

/// Quantiles of measured over predicted time.
struct IntervalClass {
  double low = 1, high = 1;
  double points = 0;
  double sources = 0;     ///< independent sets of measurements behind it
  std::string because{};  ///< of a widening: its reason as a sentence for reports
};

/// The content of data/intervals.toml, which scripts/intervals makes from `validate --format json`.
struct IntervalTable {
  double level = 0;  ///< share of measurements that an interval should hold
  std::map<std::string, IntervalClass, std::less<>> classes;
  IntervalClass clock;  ///< widening for a clock that follows from a rule
  /// What each assumption (by id) or kind of finding adds to the width.
  std::map<std::string, IntervalClass, std::less<>> widenings;

  /// The class `name`, else the class before its comma, else that of all residuals together.
  [[nodiscard]] const IntervalClass& of(std::string_view name) const;
};

struct TimeInterval {
  std::array<double, 2> ms{};
  std::string meaning;
};

/// Half-widths are factors; those of independent causes add as squares of their logarithms. If two
/// models differ by more than `models_differ`, the interval holds both times.
inline constexpr double models_differ = 0.15;
[[nodiscard]] TimeInterval interval_of(double time_ms, const IntervalFacts& facts,
                                       const IntervalTable& table);

}  // namespace forewarp::model
