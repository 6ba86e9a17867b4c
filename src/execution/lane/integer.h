// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/lane/map.h"

namespace forewarp::execution::FOREWARP_LANES {

inline void none(Warp&, const MicroOp&, LaneMask) {}

inline void move(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map1(warp, op, lanes, [](std::uint32_t a) { return a; });
}

inline void add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map3(warp, op, lanes,
       [](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return a + b + c; });
}

inline void write_code(Warp& warp, LaneMask lanes, const std::uint32_t* value) {
  write_predicate(warp, predicate::is_zero, lanes,
                  lanes_where([&](unsigned i) { return value[i] == 0; }));
  write_predicate(warp, predicate::is_negative, lanes,
                  lanes_where([&](unsigned i) { return (value[i] >> 31) != 0; }));
}

/// A source before its `add` applies: negation adds one to the sum instead, so that -0 carries.
struct Addend {
  const std::uint32_t* value;
  std::uint32_t keep, flip, one;
  unsigned shift;
  [[nodiscard]] std::uint32_t bits(unsigned lane) const {
    return ((value[lane] >> shift) & keep) ^ flip;
  }
};

inline Addend addend(const Warp& warp, const MicroOp& op, unsigned index) {
  const Source& from = op.source[index];
  const std::uint32_t* value = plain_source(warp, from);
  if (!from.modified) return {value, 0xffffffffU, 0, 0, 0};
  const SourceModifier& m = op.modify[index];
  return {value, m.keep, m.flip, m.add, m.shift};
}

inline void write_carries(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask first,
                          LaneMask second) {
  write_predicate(warp, op, 0, lanes, first);
  write_predicate(warp, op, 1, lanes, second);
}

/// Sums with carries in and out: IADD3.X, IADD3 with predicates, IADD.CC, IADD.X.
inline void add_carry(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const Addend a = addend(warp, op, 0), b = addend(warp, op, 1), c = addend(warp, op, 2);
  LaneMask in0 = 0, in1 = 0;
  // With a carry in, a negated operand is only complemented: the carry supplies the one.
  const std::uint32_t ones = a.one + b.one + c.one;
  if (op.has(flag::carry_in)) {
    in0 = predicate_source(warp, op, 0);
    in1 = predicate_source(warp, op, 1);
  }
  std::uint32_t* d = destination(warp, op);
  std::uint32_t result[lane_count], carries[lane_count];
  const auto add = [](std::uint32_t& sum, std::uint32_t term) {
    sum += term;
    return static_cast<std::uint32_t>(sum < term);
  };
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) {
    std::uint32_t sum = a.bits(i);
    std::uint32_t out = add(sum, b.bits(i));
    out += add(sum, c.bits(i));
    out += add(sum, ones + bit_of(in0, i) + bit_of(in1, i));
    result[i] = sum;
    carries[i] = out;
  }
  const LaneMask once = lanes_where([&](unsigned i) { return carries[i] != 0; });
  const LaneMask twice = lanes_where([&](unsigned i) { return carries[i] > 1; });
  if (op.has(flag::set_code)) {
    write_predicate(warp, predicate::overflow, lanes, lanes_where([&](unsigned i) {
                      return ((a.bits(i) ^ result[i]) & (b.bits(i) ^ result[i])) >> 31 != 0;
                    }));
    write_code_carry(warp, lanes, once, twice);
    write_code(warp, lanes, result);
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) d[i] = blended(lanes, i, result[i], d[i]);
  if (op.has(flag::carry_out)) {
    write_carries(warp, op, lanes, once, twice);
  }
}

/// IADD3.RS and .LS: the 33-bit sum of a and b moved by 16 bits, plus c.
inline void add_halves(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool left = op.has(flag::left);
  map3(warp, op, lanes, [left](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t sum = std::uint64_t{a} + b;
    return static_cast<std::uint32_t>(left ? sum << 16 : sum >> 16) + c;
  });
}

inline void multiply_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map3(warp, op, lanes,
       [](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return a * b + c; });
}

/// The 64-bit product of two words, signed or unsigned.
[[nodiscard]] inline std::uint64_t wide_product(std::uint32_t a, std::uint32_t b, bool is_signed) {
  return is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a)} *
                                                static_cast<std::int32_t>(b))
                   : std::uint64_t{a} * b;
}

template <bool Signed>
inline void wide(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const std::uint32_t* c = plain_source(warp, op.source[2]);
  const std::uint32_t* c_high = plain_source(warp, op.source[2], 1);
  const std::uint64_t flip =
      op.source[2].modified && op.modify[2].flip != 0 ? ~std::uint64_t{0} : 0;
  const std::uint64_t one = op.source[2].modified ? op.modify[2].add : 0;
  std::uint32_t low[lane_count], high[lane_count];
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint64_t addend = ((std::uint64_t{c_high[i]} << 32 | c[i]) ^ flip) + one;
    const std::uint64_t sum = wide_product(a[i], b[i], Signed) + addend;
    low[i] = static_cast<std::uint32_t>(sum);
    high[i] = static_cast<std::uint32_t>(sum >> 32);
  }
  std::uint32_t* d = destination(warp, op);
  std::uint32_t* d_high = destination(warp, op, 1);
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) d[i] = blended(lanes, i, low[i], d[i]);
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) d_high[i] = blended(lanes, i, high[i], d_high[i]);
}

inline void multiply_add_wide(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (op.has(flag::is_signed)) return wide<true>(warp, op, lanes);
  wide<false>(warp, op, lanes);
}

/// Lane `i` of a pair of words, negated if the source says so.
[[nodiscard]] inline std::uint64_t pair_value(const Warp& warp, const MicroOp& op, unsigned index,
                                              unsigned lane) {
  const std::uint64_t value = std::uint64_t{plain_source(warp, op.source[index], 1)[lane]} << 32 |
                              plain_source(warp, op.source[index])[lane];
  const SourceModifier& modify = op.modify[index];
  if (!op.source[index].modified) return value;
  return (value ^ (modify.flip != 0 ? ~std::uint64_t{0} : 0)) + modify.add;
}

inline void add_pairs(Warp& warp, const MicroOp& op, LaneMask lanes) {
  std::uint32_t* low = destination(warp, op);
  std::uint32_t* high = destination(warp, op, 1);
  for (unsigned i = 0; i < lane_count; ++i) {
    std::uint64_t sum = 0;
    for (unsigned s = 0; s < 3; ++s) sum += pair_value(warp, op, s, i);
    low[i] = blended(lanes, i, static_cast<std::uint32_t>(sum), low[i]);
    high[i] = blended(lanes, i, static_cast<std::uint32_t>(sum >> 32), high[i]);
  }
}

/// IMAD.HI: with `bits64` the addend is a pair that is added before the high word is taken
/// (sm_70 and later), else one word that is added to the high word.
inline void multiply_add_high(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const bool pair = op.has(flag::bits64);
  const std::uint32_t* c = pair ? plain_source(warp, op.source[2]) : source(warp, op, 2);
  const std::uint32_t* c_high = pair ? plain_source(warp, op.source[2], 1) : c;
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint64_t product = wide_product(a[i], b[i], op.has(flag::is_signed));
    const std::uint64_t addend =
        pair ? std::uint64_t{c_high[i]} << 32 | c[i] : std::uint64_t{c[i]} << 32;
    const auto value = static_cast<std::uint32_t>((product + addend) >> 32);
    d[i] = blended(lanes, i, value, d[i]);
  }
}

/// One factor of a product with carry. The sign of a negated factor is kept apart, because the
/// product is then subtracted and the carry is that of the subtraction.
struct Factor {
  const std::uint32_t* value;
  bool negated;
};

[[nodiscard]] inline Factor factor(Warp& warp, const MicroOp& op, unsigned index) {
  const SourceModifier& m = op.modify[index];
  if (op.source[index].modified && m.flip == 0xffffffffU && m.add == 1) {
    return {plain_source(warp, op.source[index]), true};
  }
  return {source(warp, op, index), false};
}

/// Products with a carry: IMAD.CC, IMAD.X, IMAD.HI.X, IMAD.WIDE with carry predicates.
inline void multiply_add_carry(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const Factor a = factor(warp, op, 0), b = factor(warp, op, 1);
  const bool pair = op.has(flag::bits64), take_high = op.has(flag::high);
  const bool subtract = a.negated != b.negated;
  const Addend c = addend(warp, op, 2);
  const std::uint32_t* c_high = plain_source(warp, op.source[2], pair ? 1 : 0);
  const LaneMask in = op.has(flag::carry_in) ? predicate_source(warp, op, 0) : 0;
  std::uint32_t low[lane_count], high[lane_count];
  LaneMask carry = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint64_t product = wide_product(a.value[i], b.value[i], op.has(flag::is_signed));
    const std::uint64_t extra = std::uint64_t{c.one} + bit_of(in, i) + (subtract ? 1 : 0);
    std::uint64_t sum = 0;
    bool out = false;
    if (pair) {
      const std::uint64_t term = subtract ? ~product : product;
      const std::uint64_t addend = std::uint64_t{c_high[i]} << 32 | c.value[i];
      sum = term + addend;
      out = sum < term || sum + extra < sum;
      sum += extra;
    } else {
      const std::uint64_t part = take_high ? product >> 32 : product & 0xffffffffU;
      const std::uint64_t term = subtract ? ~part & 0xffffffffU : part;
      const std::uint64_t narrow = term + std::uint64_t{c.bits(i)} + extra;
      sum = narrow & 0xffffffffU;
      out = (narrow >> 32) != 0;
    }
    high[i] = static_cast<std::uint32_t>(sum >> 32);
    low[i] = pair && take_high ? high[i] : static_cast<std::uint32_t>(sum);
    carry |= LaneMask{out} << i;
  }
  std::uint32_t* d = destination(warp, op);
  std::uint32_t* d_high = destination(warp, op, 1);
  for (unsigned i = 0; i < lane_count; ++i) d[i] = blended(lanes, i, low[i], d[i]);
  if (pair && !take_high) {
    for (unsigned i = 0; i < lane_count; ++i) d_high[i] = blended(lanes, i, high[i], d_high[i]);
  }
  if (op.has(flag::carry_out)) write_carries(warp, op, lanes, carry, 0);
  if (op.has(flag::set_code)) {
    write_code_carry(warp, lanes, carry);
    write_code(warp, lanes, low);
  }
}

/// IMADSP: factors of 16 or 24 bits (the masks are in `second`).
inline void multiply_parts(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map3(warp, op, lanes, [mask = op.second](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return a * (b & mask) + c;
  });
}

/// XMAD: how the addend is made, by MicroOp::second.
namespace xmad {
inline constexpr std::uint32_t plain = 0, low = 1, high = 2, shifted_b = 3, signed_fix = 4;
}

/// One half of a word, as the factor it is.
struct HalfFactor {
  unsigned shift;
  std::uint32_t sign;  ///< its sign bit, 0 where it has none
  [[nodiscard]] std::uint32_t operator()(std::uint32_t word) const {
    return (((word >> shift) & 0xffffU) ^ sign) - sign;
  }
};

/// Elsewhere the cross products of a signed product are added as words: negative ones are 2^16 too
/// large.
[[nodiscard]] inline std::uint32_t sign_excess(std::uint32_t factor, std::uint32_t other) {
  return (factor >> 31) << 16 & (0U - static_cast<std::uint32_t>((other & 0xffffU) != 0));
}

/// XMAD: 16 by 16 bits plus a word. `immediate` bits 0 and 1 choose the upper halves of a and b.
/// What is the same in all lanes is made before, so that nothing branches in a lane.
inline void half_multiply_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const HalfFactor x{(op.immediate & 1U) != 0 ? 16U : 0U, op.has(flag::signed_a) ? 0x8000U : 0U};
  const HalfFactor y{(op.immediate & 2U) != 0 ? 16U : 0U, op.has(flag::signed_b) ? 0x8000U : 0U};
  const std::uint32_t mode = op.second;
  const unsigned product_shift = op.has(flag::product_left) ? 16 : 0;
  const unsigned c_shift = mode == xmad::high ? 16 : 0;
  const std::uint32_t c_keep = mode == xmad::low ? 0xffffU : ~0U;
  const std::uint32_t b_added = mode == xmad::shifted_b ? ~0U : 0U;
  const std::uint32_t b_merged = op.has(flag::merge) ? 0xffff0000U : 0U;
  const std::uint32_t fixed = mode == xmad::signed_fix ? ~0U : 0U;
  map3(warp, op, lanes, [=](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t p = x(a), q = y(b), upper = b << 16;
    const std::uint32_t excess = (sign_excess(p, b) + sign_excess(q, a)) & fixed;
    const std::uint32_t addend = ((c >> c_shift) & c_keep) + (upper & b_added) - excess;
    const std::uint32_t sum = ((p * q) << product_shift) + addend;
    return (sum & ~b_merged) | (upper & b_merged);
  });
}

/// Writes the predicate and condition code of LEA. Before sm_70 (`position`) the predicate says
/// that the result, with the low word if it continues one, is not zero.
inline void write_shift_add(Warp& warp, const MicroOp& op, LaneMask lanes,
                            const std::uint32_t* result, LaneMask carry) {
  if (op.has(flag::position)) {
    const LaneMask low = op.has(flag::carry_in) ? ~warp.predicates[predicate::is_zero] : 0;
    write_predicate(warp, op, 0, lanes,
                    low | lanes_where([&](unsigned i) { return result[i] != 0; }));
  } else if (op.has(flag::carry_out)) {
    write_carries(warp, op, lanes, carry, 0);
  }
  if (!op.has(flag::set_code)) return;
  write_code_carry(warp, lanes, carry);
  write_code(warp, lanes, result);
}

/// (a << n) + b: ISCADD, LEA.
inline void shift_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t by = op.immediate & 31U;
  if (!op.has(flag::carry_out | flag::set_code | flag::carry_in)) {
    map2(warp, op, lanes, [by](std::uint32_t a, std::uint32_t b) { return (a << by) + b; });
    return;
  }
  const Addend a = addend(warp, op, 0), b = addend(warp, op, 1);
  // Of a negated word the shifted one is negated, so that -0 carries.
  const std::uint32_t after = a.one != 0 ? a.flip : 0, before = a.one != 0 ? 0 : a.flip;
  const LaneMask in = op.has(flag::carry_in) ? predicate_source(warp, op, 0) : 0;
  std::uint32_t* d = destination(warp, op);
  std::uint32_t result[lane_count];
  LaneMask carry = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t plain = a.bits(i) ^ a.flip;
    const std::uint32_t shifted = ((plain ^ before) << by) ^ after;
    const std::uint64_t sum = std::uint64_t{shifted} + a.one + b.bits(i) + b.one + bit_of(in, i);
    result[i] = static_cast<std::uint32_t>(sum);
    carry |= (static_cast<LaneMask>(sum >> 32) & 1U) << i;
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) d[i] = blended(lanes, i, result[i], d[i]);
  write_shift_add(warp, op, lanes, result, carry);
}

/// (c:a << n) >> 32, plus b: LEA.HI, with or without carry.
inline void shift_add_high(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t by = op.immediate & 31U;
  const std::uint32_t* a = source(warp, op, 0);
  const Addend b = addend(warp, op, 1);
  const std::uint32_t* c = source(warp, op, 2);
  const bool extend = op.has(flag::is_signed);  // .SX32: c is the sign of a
  const LaneMask in = op.has(flag::carry_in) ? predicate_source(warp, op, 0) : 0;
  std::uint32_t* d = destination(warp, op);
  std::uint32_t result[lane_count];
  LaneMask carry = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t high = extend ? 0U - (a[i] >> 31) : c[i];
    const std::uint64_t pair = std::uint64_t{high} << 32 | a[i];
    const auto part = static_cast<std::uint32_t>((pair << by) >> 32);
    const std::uint64_t sum =
        std::uint64_t{part} + std::uint64_t{b.bits(i)} + b.one + bit_of(in, i);
    result[i] = static_cast<std::uint32_t>(sum);
    carry |= (static_cast<LaneMask>(sum >> 32) & 1U) << i;
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) d[i] = blended(lanes, i, result[i], d[i]);
  write_shift_add(warp, op, lanes, result, carry);
}

inline void minimum_maximum(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const LaneMask minimum = predicate_source(warp, op, 0);
  // Flipping the sign bit orders signed values like unsigned ones.
  const std::uint32_t bias = op.has(flag::is_signed) ? 0x80000000U : 0;
  std::uint32_t* d = destination(warp, op);
  LaneMask first = lanes_where([&](unsigned i) { return (a[i] ^ bias) < (b[i] ^ bias); });
  const LaneMask same = lanes_where([&](unsigned i) { return a[i] == b[i]; });
  first = (first & minimum) | (~first & ~minimum);
  if (op.has(flag::extended)) {
    const LaneMask decided = ~warp.predicates[predicate::is_zero];
    first = (first & ~decided) | (warp.predicates[predicate::carry] & decided);
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t value = blended(first, i, a[i], b[i]);
    d[i] = blended(lanes, i, value, d[i]);
  }
  if (!op.has(flag::set_code)) return;
  write_predicate(warp, predicate::is_zero, lanes, same);
  write_code_carry(warp, lanes, first);
}

/// x and y by halves or whole: f is given the parts with their sign or without, as wide numbers.
template <class F>
[[nodiscard]] inline std::uint32_t by_parts(const MicroOp& op, std::uint32_t x, std::uint32_t y,
                                            F f) {
  const bool is_signed = op.has(flag::is_signed);
  const auto wide = [is_signed](std::uint32_t part, unsigned bits) {
    const std::uint32_t up = part << (32 - bits);
    return is_signed ? std::int64_t{static_cast<std::int32_t>(up) >> (32 - bits)}
                     : std::int64_t{up >> (32 - bits)};
  };
  if (!op.has(flag::packed)) return static_cast<std::uint32_t>(f(wide(x, 32), wide(y, 32)));
  const auto low = static_cast<std::uint32_t>(f(wide(x, 16), wide(y, 16)));
  const auto high = static_cast<std::uint32_t>(f(wide(x >> 16, 16), wide(y >> 16, 16)));
  return high << 16 | (low & 0xffffU);
}

/// VIADD.16x2: halves, each without a carry to the other.
inline void vector_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map2(warp, op, lanes, [](std::uint32_t a, std::uint32_t b) {
    return ((a + (b & 0xffff0000U)) & 0xffff0000U) | ((a + b) & 0xffffU);
  });
}

/// VIMNMX, VIMNMX3 and VIADDMNMX, whole or by halves (`packed`): the least or largest of a, b and,
/// with `extended`, c; with `carry_in` of a + b and c. `accumulate`: not below zero.
inline void vector_extreme(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const std::uint32_t* c = source(warp, op, 2);
  const LaneMask minimum = predicate_source(warp, op, 0);
  const bool sum = op.has(flag::carry_in), third = op.has(flag::extended);
  const bool relu = op.has(flag::accumulate), halves = op.has(flag::packed);
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    const bool least = bit_of(minimum, i) != 0;
    const auto chosen = [least](std::int64_t x, std::int64_t y) {
      return (x < y) == least ? x : y;
    };
    std::uint32_t value = a[i] + b[i];
    if (sum && halves) {
      value = ((a[i] + (b[i] & 0xffff0000U)) & 0xffff0000U) | (value & 0xffffU);
    } else if (!sum) {
      value = by_parts(op, a[i], b[i], chosen);
    }
    if (sum || third) value = by_parts(op, value, c[i], chosen);
    if (relu)
      value = by_parts(op, value, 0, [](std::int64_t x, std::int64_t y) { return x < y ? y : x; });
    d[i] = blended(lanes, i, value, d[i]);
  }
}

inline void absolute(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map1(warp, op, lanes, [](std::uint32_t a) { return (a >> 31) != 0 ? 0U - a : a; });
}

/// |a - b| + c: ISAD, and VABSDIFF from sm_70 on.
inline void sum_absolute_difference(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t bias = op.has(flag::is_signed) ? 0x80000000U : 0;
  map3(warp, op, lanes, [bias](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return ((a ^ bias) < (b ^ bias) ? b - a : a - b) + c;
  });
}

[[nodiscard]] inline std::uint32_t part_of(std::uint32_t word, unsigned index, unsigned bits,
                                           bool is_signed) {
  const std::uint32_t part = word << (32 - bits * (index + 1));
  return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(part) >> (32 - bits))
                   : part >> (32 - bits);
}

/// IDP: `immediate` 4: four bytes by four bytes; 2: two halves of a by two bytes of b from
/// `second`.
inline void dot_product(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool sa = op.has(flag::signed_a), sb = op.has(flag::signed_b);
  const std::uint32_t terms = op.immediate, first = op.second;
  map3(warp, op, lanes, [=](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t sum = c;
    for (unsigned k = 0; k < terms; ++k) {
      sum += part_of(a, k, terms == 4 ? 8 : 16, sa) * part_of(b, k + first, 8, sb);
    }
    return sum;
  });
}

/// VABSDIFF4: byte by byte |a - b|, cut to a byte, or their sum plus c.
inline void byte_difference(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool sum = op.has(flag::accumulate);
  const bool sa = op.has(flag::signed_a), sb = op.has(flag::signed_b);
  map3(warp, op, lanes, [=](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t total = c, packed = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const std::uint32_t x = part_of(a, k, 8, sa), y = part_of(b, k, 8, sb);
      const std::uint32_t gap = x - y, difference = (gap >> 31) != 0 ? 0U - gap : gap;
      total += difference;
      packed |= (difference & 0xffU) << (8 * k);
    }
    return sum ? total : packed;
  });
}

}  // namespace forewarp::execution::FOREWARP_LANES
