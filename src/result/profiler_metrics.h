// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "result/result.h"

namespace forewarp::result {

/// A figure of a result under the name that Nsight Compute has for it (sm_70 and later).
struct ProfilerMetric {
  enum class Group { launch, speed, instructions, memory, waits };
  Group group = Group::launch;
  std::string_view name;     ///< "smsp__inst_executed.sum"
  std::string_view meaning;  ///< in words, where it says less or more than the profiler's
  std::string_view unit;     ///< as the profiler prints it: "%", "ns", "inst", "sector", "byte", ""
  double value = 0;
};

/// Those that the result knows, by group. Rates are of the predicted time: a share of a bound is
/// what the profiler calls a percentage of the peak, for device memory of what the board reaches.
/// Waits come from a simulation only. docs/from-nsight.md has the table.
[[nodiscard]] std::vector<ProfilerMetric> profiler_metrics(const Result& result);

}  // namespace forewarp::result
