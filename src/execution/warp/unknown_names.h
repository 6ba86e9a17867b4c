// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "execution/warp/block.h"

namespace forewarp::execution {

/// A name stands for the unknown part of a value: lanes with equal names have equal unknown parts,
/// and what the registers hold is the known rest. The unknown part is a multiple of 2^shift.
struct UnknownName {
  static constexpr std::uint32_t shift_bits = 6;
  std::uint32_t packed = 0;

  [[nodiscard]] static UnknownName of(std::uint64_t identity, std::uint32_t shift);
  [[nodiscard]] std::uint32_t shift() const { return packed & ((1U << shift_bits) - 1); }
};

using LaneNames = std::array<UnknownName, lane_count>;

/// Whether the names of what an instruction writes are followed: it is part of an address.
[[nodiscard]] inline bool names_results(const Warp& warp, std::uint32_t index) {
  return warp.block->environment->program->in_addresses[index] != 0;
}

/// Names of the results of an operation, from those of its sources, before it runs: terms of a sum
/// keep the name of the unknown one; a factor or any other known operand takes part in it.
[[nodiscard]] LaneNames derived_names(const Warp& warp, const MicroOp& op, std::uint32_t index,
                                      LaneMask unknown);

/// Names of the upper words of what `names` stand for: their zeros do not carry over.
[[nodiscard]] LaneNames upper_words(LaneNames names);

/// The name of one lane of a source; none where its value is known or has no name.
[[nodiscard]] inline UnknownName name_of(const Warp& warp, const Source& from, unsigned lane) {
  const Unknowns& unknown = warp.unknown;
  if (from.pool || unknown.named.empty() || !has_lane(unknown.named[from.cell], lane)) return {};
  return {unknown.names[std::size_t{from.cell} * cell::words + lane]};
}

/// Names `lanes` of a cell that is marked unknown already.
void set_names(Warp& warp, std::uint32_t at, LaneMask lanes, const LaneNames& names);

/// Names unknown words that `lanes` loaded: by where they lie in global memory, which is taken not
/// to be written in between, else and for lanes that are `drawn`, whose own address is not known,
/// by the load.
void name_loaded(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask drawn,
                 const MemoryAccess& access);

/// The lanes of `lanes` in which the unknown parts of an address have names, with the names.
[[nodiscard]] LaneMask address_names(const Warp& warp, const MicroOp& op, LaneMask lanes,
                                     LaneNames& names);

}  // namespace forewarp::execution
