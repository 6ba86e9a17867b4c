// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hardware/gpu.h"

namespace forewarp::binding {

/// What one execution of a memory instruction by a warp accesses; means if executions differ.
struct AccessPattern {
  bool known = false;  ///< addresses are known; false: unit stride is assumed
  std::uint32_t bytes_per_lane = 4;
  double lanes = 0;                 ///< lanes that take part
  double sectors = 0;               ///< distinct sectors (global) per warp
  double lines = 0;                 ///< distinct lines
  double passes = 1;                ///< bank passes (shared memory), or wavefronts
  double stage = 0;                 ///< cycles of L1's data stage (global, local), for a load
  double requests = 1;              ///< share of executions with at least one active lane
  double turns = 0;                 ///< turns of an atomic, one lane per word each
  double busiest_slice = 0;         ///< share of the grid's turns that fall on one slice of L2
  double busiest_sectors = 0;       ///< share of its sectors on the busiest slice of L2 at a time
  double visits = 0;                ///< visits to slices of L2 if L1 kept nothing
  double far_hits = 0;              ///< share of L2 hits served by L2's far part
  double distant = 0;               ///< share of requests to other blocks' shared memory
  double distant_bytes = 0;         ///< moved by those, per execution
  double l2_sectors = -1;           ///< of `sectors`: those that pass L1; negative: all
  double device_bytes = -1;         ///< moved to or from device memory; negative: all sectors
  double device_places = 0;         ///< where device memory moves parts of lines
  double l1_hits = 0, l2_hits = 0;  ///< shares for loads: of all sectors, of those that pass L1
  /// Shares of load requests that wait for L2 or beyond, and for device memory.
  double waits_for_l2 = 1, waits_for_memory = 1;
  bool operator==(const AccessPattern&) const = default;
};

/// Cycles of a hit in L2, averaged over its near and far parts.
[[nodiscard]] double l2_latency(const AccessPattern& access, const Gpu& gpu);

/// The same of the last of so many lines that are asked for together: the far part's as soon as one
/// of them lies there, near + (far - near) (1 - (1 - share)^lines).
[[nodiscard]] double last_l2_latency(const AccessPattern& access, double lines, const Gpu& gpu);

/// Cycles by which the last of so many lines comes later from device memory than one line does on
/// average. Each part of L2 stands before half of the memory, so that half of the lines take
/// (far - near) / 2 less than the average, half as much more: (far - near) / 2 (1 - 2^(1 - lines)).
[[nodiscard]] double last_part(double lines, const Gpu& gpu);

/// Cycles by which a load from the shared memory of its cluster takes longer than from its own
/// block's, by the share of requests that leave the SM.
[[nodiscard]] double beyond_own_shared(const AccessPattern& access, const Gpu& gpu);

/// Distinct sectors and lines, from the lanes' byte addresses.
[[nodiscard]] AccessPattern global_pattern(std::span<const std::int64_t> addresses,
                                           std::uint32_t bytes_per_lane, const Gpu& gpu,
                                           bool store = false);

/// Bank passes: the most distinct words in one bank, for each group of lanes that one pass can
/// serve (the whole warp for 4 bytes per lane, halves for 8, quarters for 16).
[[nodiscard]] AccessPattern shared_pattern(std::span<const std::int64_t> addresses,
                                           std::uint32_t bytes_per_lane, const Gpu& gpu);

/// Cycles by which conflicts in L1's data stage delay the answer of an execution with active lanes,
/// beyond one pass and the return path, which the latency includes.
[[nodiscard]] double later_in_stage(const AccessPattern& pattern, const Gpu& gpu);

/// Neighbouring lanes on neighbouring words: the assumption for unknown addresses.
[[nodiscard]] AccessPattern unit_stride_pattern(std::uint32_t bytes_per_lane, bool shared,
                                                const Gpu& gpu, bool store = false);

}  // namespace forewarp::binding
