// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::characterise {

/// When one warp was on an SM, on a clock that all SMs share; the unit is the recorder's.
struct WarpTime {
  std::uint32_t sm = 0;
  double start = 0, end = 0;
};

/// Reads a CSV file with the columns sm, start and end, in any order and among others. Refused: no
/// such columns, no rows, and a warp that ends before it starts.
[[nodiscard]] Expected<std::vector<WarpTime>> read_warp_times(std::string_view text,
                                                              std::string_view name);

/// Warps on one SM, or on all together, over time.
struct Residency {
  std::uint32_t sm = 0;
  double begin = 0, end = 0;  ///< of its first and last warp
  double warps = 0;           ///< how many there were
  double mean = 0;            ///< on it at a time, between begin and end
  double most = 0;            ///< on it at a time
};

struct ResidencyTrace {
  double begin = 0, end = 0;
  double mean = 0;                ///< warps on an SM at a time, over all SMs and the whole time
  double most = 0;                ///< warps on one SM at a time
  double imbalance = 0;           ///< largest over mean of the warp times that SMs have
  double tail = 0;                ///< share of the time after the first SM had its last warp
  std::vector<Residency> sms;     ///< in the order of their numbers
  std::vector<double> over_time;  ///< mean warps on an SM in equal parts of the time
};

/// `parts`: of over_time. A warp counts from its start until before its end.
[[nodiscard]] ResidencyTrace residency_of(std::vector<WarpTime> warps, std::size_t parts);

}  // namespace forewarp::characterise
