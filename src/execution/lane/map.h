// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The headers of this folder are compiled twice, for processors with and without AVX2: each of the
// two sources names its own namespace in FOREWARP_LANES and includes all of them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "execution/state/operands.h"

namespace forewarp::execution::FOREWARP_LANES {

/// `yes` in the lanes of a mask, `no` in the others; branch-free, so that rows are vectorised.
[[nodiscard]] inline std::uint32_t blended(LaneMask mask, unsigned lane, std::uint32_t yes,
                                           std::uint32_t no) {
  const std::uint32_t keep = 0U - ((mask >> lane) & 1U);
  return (yes & keep) | (no & ~keep);
}

/// Fills a scratch cell with a source's modified values and returns it.
[[gnu::noinline]] inline const std::uint32_t* modified_source(Warp& warp, const MicroOp& op,
                                                              unsigned index, std::uint32_t word) {
  const std::uint32_t* plain = plain_source(warp, op.source[index], word);
  std::uint32_t* scratch = warp.cell_at(cell::scratch + 2 * index + word);
  const SourceModifier modify = op.modify[index];
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) {
    scratch[i] = (((plain[i] >> modify.shift) & modify.keep) ^ modify.flip) + modify.add;
  }
  return scratch;
}

/// Values of source operand `index`: the cell itself, or a scratch cell when it is modified.
/// `word` 1 is the high word of a pair.
[[nodiscard]] inline const std::uint32_t* source(Warp& warp, const MicroOp& op, unsigned index,
                                                 std::uint32_t word = 0) {
  const Source& from = op.source[index];
  return from.modified ? modified_source(warp, op, index, word) : plain_source(warp, from, word);
}

/// destination = f(sources..) in every lane of `lanes`. The destination may be one of the sources.
template <class F>
inline void map1(Warp& warp, const MicroOp& op, LaneMask lanes, F f) {
  const std::uint32_t* a = source(warp, op, 0);
  std::uint32_t* d = destination(warp, op);
  if (lanes == all_lanes) {
#pragma GCC ivdep
    for (unsigned i = 0; i < lane_count; ++i) d[i] = f(a[i]);
    return;
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t value = f(a[i]);
    d[i] = blended(lanes, i, value, d[i]);
  }
}

template <class F>
inline void map2(Warp& warp, const MicroOp& op, LaneMask lanes, F f) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  std::uint32_t* d = destination(warp, op);
  if (lanes == all_lanes) {
#pragma GCC ivdep
    for (unsigned i = 0; i < lane_count; ++i) d[i] = f(a[i], b[i]);
    return;
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t value = f(a[i], b[i]);
    d[i] = blended(lanes, i, value, d[i]);
  }
}

template <class F>
inline void map3(Warp& warp, const MicroOp& op, LaneMask lanes, F f) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const std::uint32_t* c = source(warp, op, 2);
  std::uint32_t* d = destination(warp, op);
  if (lanes == all_lanes) {
#pragma GCC ivdep
    for (unsigned i = 0; i < lane_count; ++i) d[i] = f(a[i], b[i], c[i]);
    return;
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t value = f(a[i], b[i], c[i]);
    d[i] = blended(lanes, i, value, d[i]);
  }
}

/// Lanes where `f(lane)` is true.
template <class F>
[[nodiscard]] inline LaneMask lanes_where(F f) {
  LaneMask result = 0;
  for (unsigned i = 0; i < lane_count; ++i) result |= f(i) ? LaneMask{1} << i : LaneMask{0};
  return result;
}

/// One if the lane's bit is set.
[[nodiscard]] inline std::uint32_t bit_of(LaneMask mask, unsigned lane) {
  return (mask >> lane) & 1U;
}

[[nodiscard]] inline LaneMask combined(BooleanOperator by, LaneMask a, LaneMask b) {
  switch (by) {
    case BooleanOperator::or_:
      return a | b;
    case BooleanOperator::xor_:
      return a ^ b;
    default:
      return a & b;
  }
}

/// Writes both results of a comparison: RESULT op p, and !RESULT op p.
inline void write_comparison(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask result) {
  const LaneMask with = predicate_source(warp, op, 0);
  const LaneMask first = combined(op.combine, result, with);
  const LaneMask second = combined(op.combine, ~result, with);
  write_predicate(warp, op, 0, lanes, first);
  write_predicate(warp, op, 1, lanes, second);
}

/// Writes the outcome of a comparison to a register: all ones, or 1.0f with .BF.
inline void write_set(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask result) {
  const LaneMask value = combined(op.combine, result, predicate_source(warp, op, 0));
  const std::uint32_t yes = op.has(flag::as_float) ? 0x3f800000U : 0xffffffffU;
  std::uint32_t* d = destination(warp, op);
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i)
    d[i] = blended(lanes, i, blended(value, i, yes, 0), d[i]);
  if (!op.has(flag::set_code)) return;
  write_predicate(warp, predicate::is_zero, lanes, ~value);
  write_predicate(warp, predicate::is_negative, lanes, op.has(flag::as_float) ? 0 : value);
  write_code_carry(warp, lanes, 0);
  write_predicate(warp, predicate::overflow, lanes, 0);
}

}  // namespace forewarp::execution::FOREWARP_LANES
