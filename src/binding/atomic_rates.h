// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/gpu.h"
#include "program/instruction.h"

namespace forewarp::binding {

/// How fast one GPU does atomics, in SM cycles. A warp's access takes one turn per lane on the same
/// word; words of one sector, and slices of L2, work side by side (gpu file: `atomic`, `l2.slice`).
struct AtomicRates {
  double slices = 0;       ///< of L2; 0: unknown, nothing is charged
  double sector = 0;       ///< a slice takes one sector
  double visit = 0;        ///< the least time of one sector's atomics
  double lane = 0;         ///< one lane on a word, whole numbers
  double float_lane = 0;   ///< the same for floating-point sums
  double shared_lane = 0;  ///< one lane on a bank of shared memory
  double shared_swap = 0;  ///< the same for compare and swap

  [[nodiscard]] double lane_of(const Instruction& instruction) const;
  [[nodiscard]] double shared_lane_of(const Instruction& instruction) const;
};

[[nodiscard]] AtomicRates atomic_rates(const Gpu& gpu);

}  // namespace forewarp::binding
