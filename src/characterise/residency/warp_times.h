// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::characterise {

/// A time as it was recorded. A clock in ns since 1970 has more digits than a double: whole numbers
/// are kept whole, and only distances are doubles.
struct RecordedTime {
  std::uint64_t whole = 0;
  double fraction = 0;  ///< from 0, below 1

  [[nodiscard]] auto operator<=>(const RecordedTime&) const = default;
  /// How long after `earlier`, which is not later.
  [[nodiscard]] double since(const RecordedTime& earlier) const;
  /// With all digits of the whole part.
  [[nodiscard]] std::string text() const;
};

/// When one warp was on an SM, on a clock that all SMs share; the unit is the recorder's.
struct WarpTime {
  std::uint32_t sm = 0;
  RecordedTime start, end;
};

/// Reads a CSV file with the columns sm, start and end, in any order and among others. Refused: no
/// such columns, no rows, and a warp that ends before it starts.
[[nodiscard]] Expected<std::vector<WarpTime>> read_warp_times(std::string_view text,
                                                              std::string_view name);

/// Warps on one SM, or on all together, over time.
struct Residency {
  std::uint32_t sm = 0;
  RecordedTime begin, end;  ///< of its first and last warp
  double warps = 0;         ///< how many there were
  double mean = 0;          ///< on it at a time, between begin and end
  double most = 0;          ///< on it at a time
};

struct ResidencyTrace {
  RecordedTime begin, end;
  std::uint32_t sm_count = 0;  ///< by which means are divided: with SMs that had no warp
  double mean = 0;             ///< warps on an SM at a time, over all SMs and the whole time
  double most = 0;             ///< warps on one SM at a time
  double imbalance = 0;        ///< largest over mean of the warp times that SMs have
  double tail = 0;             ///< share of the time after the first SM had its last warp, if any
  std::vector<Residency> sms;  ///< those with warps, in the order of their numbers
  std::vector<double> over_time;  ///< mean warps on an SM in equal parts of the time
};

/// How many SMs have warps.
[[nodiscard]] std::uint32_t sms_with_warps(const std::vector<WarpTime>& warps);

/// `parts`: of over_time. `sm_count`: SMs of the board, at least those with warps. A warp counts
/// from its start until before its end.
[[nodiscard]] ResidencyTrace residency_of(const std::vector<WarpTime>& warps, std::size_t parts,
                                          std::uint32_t sm_count);

}  // namespace forewarp::characterise
