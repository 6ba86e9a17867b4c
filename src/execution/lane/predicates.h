// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/lane/map.h"

namespace forewarp::execution::FOREWARP_LANES {

/// a CMP b for integers, lane by lane.
[[nodiscard]] inline LaneMask compare_integers(Comparison by, const std::uint32_t* a,
                                               const std::uint32_t* b, std::uint32_t bias) {
  switch (by) {
    case Comparison::less:
    case Comparison::less_u:
      return lanes_where([&](unsigned i) { return (a[i] ^ bias) < (b[i] ^ bias); });
    case Comparison::equal:
    case Comparison::equal_u:
      return lanes_where([&](unsigned i) { return a[i] == b[i]; });
    case Comparison::less_equal:
    case Comparison::less_equal_u:
      return lanes_where([&](unsigned i) { return (a[i] ^ bias) <= (b[i] ^ bias); });
    case Comparison::greater:
    case Comparison::greater_u:
      return lanes_where([&](unsigned i) { return (a[i] ^ bias) > (b[i] ^ bias); });
    case Comparison::not_equal:
    case Comparison::not_equal_u:
      return lanes_where([&](unsigned i) { return a[i] != b[i]; });
    case Comparison::greater_equal:
    case Comparison::greater_equal_u:
      return lanes_where([&](unsigned i) { return (a[i] ^ bias) >= (b[i] ^ bias); });
    case Comparison::always:
      return all_lanes;
    default:
      return 0;
  }
}

/// How the low words compare, from the condition code of their subtraction.
[[nodiscard]] inline LaneMask low_comparison(const Warp& warp, Comparison by) {
  const LaneMask not_below = warp.predicates[predicate::carry];
  const LaneMask equal = warp.predicates[predicate::is_zero];
  switch (by) {
    case Comparison::less:
      return ~not_below;
    case Comparison::less_equal:
      return ~not_below | equal;
    case Comparison::greater:
      return not_below & ~equal;
    case Comparison::greater_equal:
      return not_below;
    case Comparison::equal:
      return equal;
    default:
      return ~equal;
  }
}

/// Compares integers. With `extended`, equal words are decided by the low words: by predicate_in[1]
/// from sm_70 on, by the condition code before.
[[nodiscard]] inline LaneMask integer_comparison(Warp& warp, const MicroOp& op) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const std::uint32_t bias = op.has(flag::is_signed) ? 0x80000000U : 0;
  const LaneMask result = compare_integers(op.comparison, a, b, bias);
  if (!op.has(flag::extended)) return result;
  const LaneMask equal = compare_integers(Comparison::equal, a, b, 0);
  const LaneMask low =
      op.has(flag::carry_in) ? low_comparison(warp, op.comparison) : predicate_source(warp, op, 1);
  return (equal & low) | (~equal & result);
}

inline void compare(Warp& warp, const MicroOp& op, LaneMask lanes) {
  write_comparison(warp, op, lanes, integer_comparison(warp, op));
}

inline void compare_set(Warp& warp, const MicroOp& op, LaneMask lanes) {
  write_set(warp, op, lanes, integer_comparison(warp, op));
}

/// ICMP: c CMP 0 ? a : b.
inline void compare_select(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const std::uint32_t* c = source(warp, op, 2);
  const std::uint32_t bias = op.has(flag::is_signed) ? 0x80000000U : 0;
  const LaneMask yes = compare_integers(op.comparison, c, warp.cell_at(cell::zero), bias);
  std::uint32_t* d = destination(warp, op);
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i)
    d[i] = blended(lanes, i, blended(yes, i, a[i], b[i]), d[i]);
}

inline void select(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const LaneMask first = predicate_source(warp, op, 0);
  std::uint32_t* d = destination(warp, op);
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i)
    d[i] = blended(lanes, i, blended(first, i, a[i], b[i]), d[i]);
}

/// An input of PLOP3: a predicate, or the signs of a register (R0.SIGN, bits of MicroOp::bank).
[[nodiscard]] inline LaneMask logic_source(Warp& warp, const MicroOp& op, unsigned index) {
  if ((op.bank >> index & 1U) == 0) return predicate_source(warp, op, index);
  const std::uint32_t* value = source(warp, op, index);
  return lanes_where([&](unsigned i) { return value[i] >> 31 != 0; });
}

/// PLOP3 and PSETP: two functions of three predicates, by their truth tables.
inline void predicate_logic(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const LaneMask a = logic_source(warp, op, 0);
  const LaneMask b = logic_source(warp, op, 1);
  const LaneMask c = logic_source(warp, op, 2);
  const auto value = [&](std::uint32_t table) {
    LaneMask result = 0;
    for (unsigned k = 0; k < 8; ++k) {
      if ((table >> k & 1U) == 0) continue;
      result |= ((k & 4U) != 0 ? a : ~a) & ((k & 2U) != 0 ? b : ~b) & ((k & 1U) != 0 ? c : ~c);
    }
    return result;
  };
  const LaneMask first = value(op.immediate), second = value(op.second);
  write_predicate(warp, op, 0, lanes, first);
  write_predicate(warp, op, 1, lanes, second);
  // PSET writes a register instead.
  if (op.destination == cell::sink) return;
  std::uint32_t* d = destination(warp, op);
  const std::uint32_t yes = op.has(flag::as_float) ? 0x3f800000U : 0xffffffffU;
  for (unsigned i = 0; i < lane_count; ++i) {
    d[i] = blended(lanes, i, blended(first, i, yes, 0), d[i]);
  }
}

/// Bits under the mask of P2R and R2P, of the predicates from `immediate` on. Of the condition code
/// it names four; a second carry goes with the last.
[[nodiscard]] inline std::uint32_t named_bits(const MicroOp& op, std::uint32_t mask) {
  if (op.immediate != predicate::condition_code) return mask & 0x7fU;
  return (mask & 0xfU) | (mask & 8U) << 1;
}

/// P2R: predicates under the mask (source 1), other bits from source 0; `second` is P0's bit.
inline void predicates_to_register(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* mask = source(warp, op, 1);
  std::uint32_t* d = destination(warp, op);
  const std::uint32_t number = op.immediate == predicate::condition_code ? 5 : 7;
  for (unsigned i = 0; i < lane_count; ++i) {
    std::uint32_t bits = 0;
    for (unsigned p = 0; p < number; ++p) bits |= bit_of(warp.predicates[op.immediate + p], i) << p;
    bits &= named_bits(op, mask[i]);
    const std::uint32_t value = (a[i] & ~(mask[i] << op.second)) | bits << op.second;
    d[i] = blended(lanes, i, value, d[i]);
  }
}

/// R2P: writes the bits of source 0 under the mask (source 1) to predicates; `second` is P0's bit.
inline void register_to_predicates(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* mask = source(warp, op, 1);
  const std::uint32_t number = op.immediate == predicate::condition_code ? 5 : 7;
  for (unsigned p = 0; p < number; ++p) {
    const LaneMask named =
        lanes_where([&](unsigned i) { return (named_bits(op, mask[i]) >> p & 1U) != 0; });
    const LaneMask value =
        lanes_where([&](unsigned i) { return (a[i] >> (p + op.second) & 1U) != 0; });
    write_predicate(warp, static_cast<std::uint8_t>(op.immediate + p), lanes & named, value);
  }
}

/// A result that is never known (matrix units): writes zeros; the caller marks them unknown.
inline void unknown_value(Warp& warp, const MicroOp& op, LaneMask lanes) {
  for (std::uint32_t word = 0; word < op.bytes / 4U; ++word) {
    std::uint32_t* d = destination(warp, op, word);
    for (unsigned i = 0; i < lane_count; ++i) d[i] = blended(lanes, i, 0U, d[i]);
  }
}

}  // namespace forewarp::execution::FOREWARP_LANES
