// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/whole_grid.h"

namespace forewarp::timing {

/// SMs that are simulated together and stand for all: with their part of the grid, of its traffic
/// and of the rates at which device memory and L2 serve it. The more they are, the more their
/// queues and the way in which the last blocks spread are those of all.
struct SmGroup {
  std::uint32_t sms = 1;
  std::uint64_t blocks = 0;  ///< at least its part of the grid: one SM has as many as any
  double share = 1;  ///< time of a request at what all SMs share, of that at one SM's part of it
  double late = 0;   ///< when its first block starts, of the time in which every SM gets one
};

/// All SMs with all blocks.
[[nodiscard]] SmGroup all_of(double blocks, std::uint32_t sms);

/// As many of `sms` SMs as execute at most `most` warp instructions, at least one; a block executes
/// `instructions`.
[[nodiscard]] SmGroup group_of(double blocks, std::uint32_t sms, double instructions, double most);

/// Expected largest of `count` draws from a normal distribution (Blom 1958), in deviations from its
/// mean.
[[nodiscard]] double expected_largest(double count);

/// Cycles until the last of all SMs is through, by what a group of them did with its part of
/// `blocks`. SMs with equally many blocks differ by chance only: in where their loads are served
/// and in which of them comes first. Foreseen twice, from the group's last SM, which may be a lucky
/// one, and from means and spread, as if ends were distributed normally; the mean of both.
[[nodiscard]] double last_of_all(const GridRun& group, double blocks);

}  // namespace forewarp::timing
