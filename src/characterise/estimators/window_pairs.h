// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "characterise/estimators/evidence.h"
#include "characterise/statistics/clock_cost.h"

namespace forewarp::characterise {

/// The windows of one configuration of a test, decimated, with and without the operation.
struct WindowPair {
  std::string test, config;
  double blocks = 0, threads_per_block = 0;  ///< 0: not in the configuration
  Pmf windows, empty;
  ClockFree free;
  std::optional<double> misses;  ///< mean of count/l2_read_sector_misses, where it was counted
  std::optional<double> hits;    ///< the same of count/l1_local_load_hit
};

/// All pairs of one test that the row wants. Fails where a configuration has windows and no empty
/// ones, and where the threads of a warp differ.
Expected<std::vector<WindowPair>> window_pairs(const NumberRow& row, std::string_view test,
                                               const Evidence& evidence);

}  // namespace forewarp::characterise
