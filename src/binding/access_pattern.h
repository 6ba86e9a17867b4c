// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hardware/gpu.h"

namespace forewarp::binding {

/// What one execution of a memory instruction by a warp touches; means where executions differ.
struct AccessPattern {
  bool known = false;  ///< addresses were derived; false: unit stride is assumed
  std::uint32_t bytes_per_lane = 4;
  double lanes = 0;                 ///< that take part
  double sectors = 0;               ///< distinct sectors (global) per warp
  double lines = 0;                 ///< distinct lines
  double passes = 1;                ///< bank passes (shared); wavefronts
  double stage = 0;                 ///< cycles of L1's data stage (global, local), as a load
  double requests = 1;              ///< share of the executions with at least one lane
  double turns = 0;                 ///< of an atomic, one lane a word and turn
  double busiest_slice = 0;         ///< share of the grid's turns that one slice of L2 takes
  double busiest_sectors = 0;       ///< share of its own sectors on the busiest slice, at one time
  double visits = 0;                ///< of slices of L2, if L1 keeps nothing
  double far_hits = 0;              ///< share of the hits in L2 that come from its far part
  double l2_sectors = -1;           ///< of `sectors`: that pass L1; negative: all
  double device_bytes = -1;         ///< moved to or from device memory; negative: all sectors
  double l1_hits = 0, l2_hits = 0;  ///< shares of loads: of all sectors, of those that pass L1
  /// Shares of loads' requests that wait for L2 or beyond, and for device memory.
  double waits_for_l2 = 1, waits_for_memory = 1;
  bool operator==(const AccessPattern&) const = default;
};

/// Cycles of a hit in L2, the far part's share included.
[[nodiscard]] double l2_latency(const AccessPattern& access, const Gpu& gpu);

/// Distinct sectors and lines of the lanes' byte addresses.
[[nodiscard]] AccessPattern global_pattern(std::span<const std::int64_t> addresses,
                                           std::uint32_t bytes_per_lane, const Gpu& gpu,
                                           bool store = false);

/// Bank passes: most distinct words in one bank, per group of lanes that one pass can serve
/// (the whole warp for 4 bytes, halves for 8, quarters for 16).
[[nodiscard]] AccessPattern shared_pattern(std::span<const std::int64_t> addresses,
                                           std::uint32_t bytes_per_lane, const Gpu& gpu);

/// Cycles by which conflicts in L1's data stage delay the answer, of an execution that asks: beyond
/// one pass and the way back, which the latency holds.
[[nodiscard]] double later_in_stage(const AccessPattern& pattern, const Gpu& gpu);

/// Neighbouring lanes on neighbouring words: what is assumed where addresses are not derived.
[[nodiscard]] AccessPattern unit_stride_pattern(std::uint32_t bytes_per_lane, bool shared,
                                                const Gpu& gpu, bool store = false);

}  // namespace forewarp::binding
