// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/gpu.h"
#include "program/instruction.h"

namespace forewarp::binding {

/// Atomic throughput of one GPU, in SM cycles. A warp's access takes one turn per lane on the same
/// word; words of one sector, and slices of L2, work in parallel (gpu file: `atomic`, `l2.slice`).
struct AtomicRates {
  double slices = 0;       ///< of L2; 0: unknown, so nothing is charged
  double sector = 0;       ///< one sector in a slice
  double visit = 0;        ///< at least, for the atomics of one sector
  double lane = 0;         ///< one lane on a word, integers
  double float_lane = 0;   ///< the same for floating-point sums
  double shared_lane = 0;  ///< one lane on a bank of shared memory
  double shared_swap = 0;  ///< the same for compare and swap

  [[nodiscard]] double lane_of(const Instruction& instruction) const;
  [[nodiscard]] double shared_lane_of(const Instruction& instruction) const;
};

[[nodiscard]] AtomicRates atomic_rates(const Gpu& gpu);

}  // namespace forewarp::binding
