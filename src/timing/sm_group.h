// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/whole_grid.h"

namespace forewarp::timing {

/// SMs that are simulated together and stand for all: with their part of the grid, of its traffic
/// and of the rates of device memory and L2. The larger the group, the closer its queues and its
/// distribution of the last blocks come to those of all SMs.
struct SmGroup {
  std::uint32_t sms = 1;
  std::uint64_t blocks = 0;  ///< its part of the grid, rounded up: one SM gets as many as any
  double share = 1;  ///< a request's time at a shared resource over that at one SM's part of it
  double late = 0;   ///< when its first block starts, as a share of the time until every SM has one
};

/// All SMs with all blocks.
[[nodiscard]] SmGroup all_of(double blocks, std::uint32_t sms);

/// As many of `sms` SMs as execute at most `most` warp instructions together, but at least one; a
/// block executes `instructions` warp instructions.
[[nodiscard]] SmGroup group_of(double blocks, std::uint32_t sms, double instructions, double most);

/// Whether much of the time depends on how SMs share out a last round: of few rounds it is not
/// full, so that its blocks go to SMs as other blocks end, several to one SM.
[[nodiscard]] bool shares_out(double blocks, std::uint32_t sms, std::uint32_t resident);

/// Expected largest of `count` draws from a normal distribution (Blom 1958), in deviations from its
/// mean.
[[nodiscard]] double expected_largest(double count);

/// Cycles until the last of all SMs ends, from a group's run over its part of `blocks`. SMs with
/// equally many blocks differ by chance only: in where their loads are served and in which SM comes
/// first. The mean of two estimates: from the group's last SM, which may be an outlier, and from
/// means and spread, as if ends were distributed normally.
[[nodiscard]] double last_of_all(const GridRun& group, double blocks);

}  // namespace forewarp::timing
