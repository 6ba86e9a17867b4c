// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hardware/gpu.h"

namespace forewarp::hardware {

/// Byte addresses of the lanes of one access, lowest lane first.
struct LaneAddresses {
  std::span<const std::int64_t> addresses;
  std::uint32_t lanes = 0;  ///< which lanes they belong to, one bit each
  std::uint32_t bytes = 4;  ///< per lane
};

/// `count` lanes from lane 0 on.
[[nodiscard]] LaneAddresses first_lanes(std::span<const std::int64_t> addresses,
                                        std::uint32_t bytes);

/// What one warp's access to global or local memory moves.
struct GlobalRequest {
  double sectors = 0;       ///< moved: distinct ones of each part of the request
  double lines = 0;         ///< distinct lines, the same way
  double transactions = 0;  ///< 1.x: segments; L1 that fetches lines: lines; else sectors
};

/// Coalescing as the GPU's generation does it:
/// - 1.0, 1.1: per half-warp one segment where lane k accesses word k of it, else one transaction
/// of
///   a sector per lane;
/// - 1.2, 1.3: per half-warp segments of a line, halved as long as one half suffices;
/// - 2.x, 3.x: wide accesses in halves or quarters of the warp, each one its distinct lines;
/// - later: distinct sectors of the warp.
[[nodiscard]] GlobalRequest global_request(const LaneAddresses& access, const Gpu& gpu);

/// Passes through the banks of shared memory, or of L1 for a load that hits: per group of lanes the
/// most different rows of words that meet in one bank. A row is what all banks hold side by side:
/// on 3.x, whose banks are two words wide, words i and i + 32 of one 64-word segment do not
/// conflict. `merges`: a load from shared memory, which on some generations takes half the passes
/// where lanes read alike; others never do.
[[nodiscard]] double bank_passes(const LaneAddresses& access, bool merges, const Gpu& gpu);

/// Conflict degree: the passes of the group of lanes that takes the most; 1 without conflicts. The
/// textbook's figure for the whole warp where one pass can serve it.
[[nodiscard]] double conflict_degree(const LaneAddresses& access, bool merges, const Gpu& gpu);

/// Cycles in which L1 looks up the access's lines, `l1.tag_lines` of them at once where they fall
/// into different tag banks; 1 where the GPU's file does not say.
[[nodiscard]] double tag_passes(const LaneAddresses& access, const Gpu& gpu);

/// Cycles in which `lanes` values come back from L1: whole registers, by the width of the path for
/// accesses of that size.
[[nodiscard]] double return_cycles(double lanes, std::uint32_t bytes, const Gpu& gpu);

/// Cycles that a load takes L1's data stage: the slowest of its passes through the banks, where L1
/// is one array with shared memory and a pass takes what it takes there, of the lookups of its
/// lines and of the way back.
[[nodiscard]] double data_stage_cycles(const LaneAddresses& access, const Gpu& gpu);

/// Most lanes that have the same address: atomics on it happen one after the other.
[[nodiscard]] double same_address_lanes(const LaneAddresses& access);

/// Different addresses: a constant bank has one a pass.
[[nodiscard]] double distinct_addresses(const LaneAddresses& access);

/// Turns that an atomic access takes at the units in front of L2, where each word of a sector has
/// one lane a turn: the sum over its sectors of the most lanes that share a word.
[[nodiscard]] double sector_turns(const LaneAddresses& access, const Gpu& gpu);

/// The same in shared memory, where each bank has one lane a turn: the lanes of the fullest bank.
[[nodiscard]] double bank_turns(const LaneAddresses& access, const Gpu& gpu);

/// Times that a slice of L2 is taken: a load takes it for every `l2.slice_line_sectors` sectors of
/// a line, a store for each sector, `l2.slice_part_visits` times where only a part of the sector is
/// written and `l2.slice_lone_visits` times for a whole sector that is alone in its line. 0 where
/// nothing is known of slices.
[[nodiscard]] double slice_visits(const LaneAddresses& access, bool store, const Gpu& gpu);

}  // namespace forewarp::hardware
