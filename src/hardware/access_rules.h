// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hardware/gpu.h"

namespace forewarp::hardware {

/// Byte addresses of one access, in ascending order of lanes.
struct LaneAddresses {
  std::span<const std::int64_t> addresses;
  std::uint32_t lanes = 0;  ///< the lanes, one bit each
  std::uint32_t bytes = 4;  ///< per lane
};

/// The addresses as those of lanes 0, 1 .. .
[[nodiscard]] LaneAddresses first_lanes(std::span<const std::int64_t> addresses,
                                        std::uint32_t bytes);

/// Traffic of one warp's access to global or local memory.
struct GlobalRequest {
  double sectors = 0;       ///< transferred: distinct sectors per part of the request, summed
  double lines = 0;         ///< distinct lines per part, summed
  double transactions = 0;  ///< 1.x: segments; if L1 fetches lines: lines; else sectors
};

/// Coalescing by the GPU's generation:
/// - 1.0, 1.1: per half-warp one segment if lane k accesses its word k, else one sector per lane;
/// - 1.2, 1.3: per half-warp segments of a line, halved as long as one half suffices;
/// - 2.x, 3.x: wide accesses in halves or quarters of the warp, each with its distinct lines;
/// - later: distinct sectors of the warp.
[[nodiscard]] GlobalRequest global_request(const LaneAddresses& access, const Gpu& gpu);

/// Passes through the banks of shared memory, or of L1 for a load that hits: per group of lanes,
/// the most distinct rows of words in any one bank. A row is one word of every bank, side by side;
/// on 3.x, with banks two words wide, words i and i + 32 of a 64-word segment do not conflict.
/// `merges`: set for loads from shared memory, which on some generations take half the passes if
/// groups of lanes read the same words.
[[nodiscard]] double bank_passes(const LaneAddresses& access, bool merges, const Gpu& gpu);

/// Conflict degree: passes of the group of lanes that takes the most; 1 without conflicts. Equals
/// the textbook's figure if one pass can serve the whole warp.
[[nodiscard]] double conflict_degree(const LaneAddresses& access, bool merges, const Gpu& gpu);

/// Cycles of L1's tag lookups for the access's lines: up to `l1.tag_lines` lines per cycle if they
/// are in different tag banks; 1 if the GPU's file does not state it.
[[nodiscard]] double tag_passes(const LaneAddresses& access, const Gpu& gpu);

/// Cycles to return `lanes` values from L1: whole registers, at the return path's width for
/// accesses of that size.
[[nodiscard]] double return_cycles(double lanes, std::uint32_t bytes, const Gpu& gpu);

/// Cycles of L1's data stage for a load: the slowest of the passes through the banks (if L1 shares
/// an array with shared memory, at its cost per pass), the tag lookups and the return path.
[[nodiscard]] double data_stage_cycles(const LaneAddresses& access, const Gpu& gpu);

/// Most lanes with the same address, on which atomics are serialised.
[[nodiscard]] double same_address_lanes(const LaneAddresses& access);

/// Number of distinct addresses; a constant bank serves one per pass.
[[nodiscard]] double distinct_addresses(const LaneAddresses& access);

/// Turns of an atomic access in the units of L2: lanes that follow each other share one, if theirs
/// are different words of one sector.
[[nodiscard]] double sector_turns(const LaneAddresses& access, const Gpu& gpu);

/// The same in shared memory, where each bank serves one lane per turn: lanes of the fullest bank.
[[nodiscard]] double bank_turns(const LaneAddresses& access, const Gpu& gpu);

/// Visits to slices of L2. A load takes one for every `l2.slice_line_sectors` sectors of a line. A
/// store takes one per sector, but `l2.slice_part_visits` for a partly written sector and
/// `l2.slice_lone_visits` for a whole sector that is alone in its line; where the board states
/// `l2.slice_part_line_visits`, a line with partly written sectors takes that many at least, and
/// one for each sector. 0 if slices are unknown.
[[nodiscard]] double slice_visits(const LaneAddresses& access, bool store, const Gpu& gpu);

}  // namespace forewarp::hardware
