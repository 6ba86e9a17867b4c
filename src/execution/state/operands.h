// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "execution/state/warp.h"

namespace forewarp::execution {

/// The cell of a source operand, without its modifier.
[[nodiscard]] inline const std::uint32_t* plain_source(const Warp& warp, const Source& source,
                                                       std::uint32_t word = 0) {
  const std::uint32_t* base = source.pool ? warp.pool : warp.cells;
  return base + std::size_t{source.cell + word} * cell::words;
}

/// Values of source operand `index`: the cell itself, or a scratch cell when it is modified.
[[nodiscard]] inline const std::uint32_t* source_values(const Warp& warp, const MicroOp& op,
                                                        unsigned index) {
  const std::uint32_t* plain = plain_source(warp, op.source[index]);
  if (!op.source[index].modified) return plain;
  std::uint32_t* scratch = warp.cell_at(cell::scratch + 2 * index);
  const SourceModifier& m = op.modify[index];
  for (unsigned i = 0; i < lane_count; ++i) {
    scratch[i] = (((plain[i] >> m.shift) & m.keep) ^ m.flip) + m.add;
  }
  return scratch;
}

[[nodiscard]] inline std::uint32_t* destination(Warp& warp, const MicroOp& op,
                                                std::uint32_t word = 0) {
  return warp.cell_at(op.destination + word);
}

inline std::uint32_t words_of(const MicroOp& op) {
  return op.bytes > 4 ? op.bytes / 4U : 1U;
}

/// Lanes where predicate operand `index` holds.
[[nodiscard]] inline LaneMask predicate_source(const Warp& warp, const MicroOp& op,
                                               unsigned index) {
  const LaneMask value = warp.predicates[op.predicate_in[index]];
  return op.predicate_invert[index] ? ~value : value;
}

inline void write_predicate(Warp& warp, std::uint8_t at, LaneMask lanes, LaneMask value) {
  LaneMask& target = warp.predicates[at];
  target = (target & ~lanes) | (value & lanes);
}

/// The carry of the condition code: of three words it may be two.
inline void write_code_carry(Warp& warp, LaneMask lanes, LaneMask first, LaneMask second = 0) {
  write_predicate(warp, predicate::carry, lanes, first);
  write_predicate(warp, predicate::second_carry, lanes, second);
}

inline void write_predicate(Warp& warp, const MicroOp& op, unsigned index, LaneMask lanes,
                            LaneMask value) {
  write_predicate(warp, op.predicate_out[index], lanes, value);
}

}  // namespace forewarp::execution
