// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "execution/lane/map.h"

namespace forewarp::execution::FOREWARP_LANES {

/// Any function of three bits by its truth table (index a*4 + b*2 + c).
[[nodiscard]] inline std::uint32_t by_table(std::uint32_t table, std::uint32_t a, std::uint32_t b,
                                            std::uint32_t c) {
  std::uint32_t result = 0;
  for (unsigned k = 0; k < 8; ++k) {
    const std::uint32_t term =
        ((k & 4U) != 0 ? a : ~a) & ((k & 2U) != 0 ? b : ~b) & ((k & 1U) != 0 ? c : ~c);
    result |= (table >> k & 1U) != 0 ? term : 0U;
  }
  return result;
}

inline void logic(Warp& warp, const MicroOp& op, LaneMask lanes) {
  using Word = std::uint32_t;
  switch (op.immediate) {
    case 0xc0:
      return map2(warp, op, lanes, [](Word a, Word b) { return a & b; });
    case 0xfc:
      return map2(warp, op, lanes, [](Word a, Word b) { return a | b; });
    case 0x3c:
      return map2(warp, op, lanes, [](Word a, Word b) { return a ^ b; });
    case 0xcc:
      return map2(warp, op, lanes, [](Word, Word b) { return b; });
    case 0x33:
      return map2(warp, op, lanes, [](Word, Word b) { return ~b; });
    case 0x0f:
      return map1(warp, op, lanes, [](Word a) { return ~a; });
    case 0x96:
      return map3(warp, op, lanes, [](Word a, Word b, Word c) { return a ^ b ^ c; });
    case 0xfe:
      return map3(warp, op, lanes, [](Word a, Word b, Word c) { return a | b | c; });
    case 0xf8:
      return map3(warp, op, lanes, [](Word a, Word b, Word c) { return a | (b & c); });
    case 0xea:
      return map3(warp, op, lanes, [](Word a, Word b, Word c) { return (a & b) | c; });
    case 0x80:
      return map3(warp, op, lanes, [](Word a, Word b, Word c) { return a & b & c; });
    default:
      break;
  }
  map3(warp, op, lanes,
       [table = op.immediate](Word a, Word b, Word c) { return by_table(table, a, b, c); });
}

/// Logic whose result is also compared with zero.
inline void logic_test(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const std::uint32_t* c = source(warp, op, 2);
  std::uint32_t* d = destination(warp, op);
  std::uint32_t result[lane_count];
  for (unsigned i = 0; i < lane_count; ++i) result[i] = by_table(op.immediate, a[i], b[i], c[i]);
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) d[i] = blended(lanes, i, result[i], d[i]);
  LaneMask set = lanes_where([&](unsigned i) { return result[i] != 0; });
  if (op.has(flag::carry_in)) set |= ~predicate_source(warp, op, 1);
  write_predicate(warp, op, 0, lanes, combined(op.combine, set, predicate_source(warp, op, 0)));
  if (!op.has(flag::set_code)) return;
  write_code_carry(warp, lanes, 0);
  write_predicate(warp, predicate::overflow, lanes, 0);
  write_predicate(warp, predicate::is_zero, lanes, ~set);
  write_predicate(warp, predicate::is_negative, lanes,
                  lanes_where([&](unsigned i) { return (result[i] >> 31) != 0; }));
}

inline void shift_left(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool wrap = op.has(flag::wrap);
  map2(warp, op, lanes,
       [wrap](std::uint32_t a, std::uint32_t b) { return wrap || b < 32 ? a << (b & 31U) : 0U; });
}

inline void shift_right(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool wrap = op.has(flag::wrap);
  if (op.has(flag::is_signed)) {
    map2(warp, op, lanes, [wrap](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t by = wrap ? b & 31U : (b < 31 ? b : 31U);
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> by);
    });
    return;
  }
  map2(warp, op, lanes,
       [wrap](std::uint32_t a, std::uint32_t b) { return wrap || b < 32 ? a >> (b & 31U) : 0U; });
}

/// SHF: shifts the pair c:a by b; the result is one of its words.
template <bool Left, bool High, bool Signed>
inline void funnel(Warp& warp, const MicroOp& op, LaneMask lanes) {
  constexpr std::uint32_t width = 64;
  const std::uint32_t limit = op.has(flag::bits64) ? width : 32;
  const std::uint32_t modulo = limit - 1;
  const bool wrap = op.has(flag::wrap);
  map3(warp, op, lanes, [=](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t by = wrap ? b & modulo : (b < limit ? b : limit);
    const std::uint64_t pair = std::uint64_t{c} << 32 | a;
    std::uint64_t moved = 0;
    if constexpr (Signed && !Left) {
      moved =
          static_cast<std::uint64_t>(static_cast<std::int64_t>(pair) >> std::min(by, width - 1));
    } else if (by < width) {
      moved = Left ? pair << by : pair >> by;
    }
    return static_cast<std::uint32_t>(High ? moved >> 32 : moved);
  });
}

inline void funnel_shift(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool high = op.has(flag::high);
  if (op.has(flag::left)) {
    return high ? funnel<true, true, false>(warp, op, lanes)
                : funnel<true, false, false>(warp, op, lanes);
  }
  if (op.has(flag::is_signed)) {
    return high ? funnel<false, true, true>(warp, op, lanes)
                : funnel<false, false, true>(warp, op, lanes);
  }
  return high ? funnel<false, true, false>(warp, op, lanes)
              : funnel<false, false, false>(warp, op, lanes);
}

[[nodiscard]] inline std::uint32_t reversed(std::uint32_t x) {
  x = (x >> 1 & 0x55555555U) | (x & 0x55555555U) << 1;
  x = (x >> 2 & 0x33333333U) | (x & 0x33333333U) << 2;
  x = (x >> 4 & 0x0f0f0f0fU) | (x & 0x0f0f0f0fU) << 4;
  x = (x >> 8 & 0x00ff00ffU) | (x & 0x00ff00ffU) << 8;
  return x >> 16 | x << 16;
}

/// BFE: position in bits 7:0 of b, length in 15:8.
[[nodiscard]] inline std::uint32_t extracted(std::uint32_t a, std::uint32_t b, bool is_signed) {
  const std::uint32_t from = b & 0xffU, length = b >> 8 & 0xffU;
  if (length == 0) return 0;
  const std::uint32_t sign = is_signed ? a >> 31 : 0;
  if (from > 31) return 0U - sign;
  const std::uint32_t moved =
      is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> from) : a >> from;
  if (length >= 32 - from) return moved;
  const std::uint32_t up = moved << (32 - length);
  return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(up) >> (32 - length))
                   : up >> (32 - length);
}

inline void extract_bits(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool is_signed = op.has(flag::is_signed), reverse = op.has(flag::position);
  map2(warp, op, lanes, [=](std::uint32_t a, std::uint32_t b) {
    return extracted(reverse ? reversed(a) : a, b, is_signed);
  });
}

/// BFI: inserts the low bits of a into c, at the position and length that b gives as for BFE.
inline void insert_bits(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map3(warp, op, lanes, [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t at = b & 0xffU, length = b >> 8 & 0xffU;
    if (at > 31 || length == 0) return c;
    const std::uint32_t ones = length > 31 ? 0xffffffffU : (1U << length) - 1;
    const std::uint32_t mask = ones << at;
    return (c & ~mask) | (a << at & mask);
  });
}

/// BMSK: b ones starting at bit a.
inline void bit_mask(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool wrap = op.has(flag::wrap);
  map2(warp, op, lanes, [wrap](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t at = wrap ? a & 31U : a, length = wrap ? b & 31U : b;
    if (at > 31) return 0U;
    return (length > 31 ? 0xffffffffU : (1U << length) - 1) << at;
  });
}

/// SGXT: the low b bits of a, sign- or zero-extended.
inline void extend_sign(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool is_signed = op.has(flag::is_signed), wrap = op.has(flag::wrap);
  map2(warp, op, lanes, [=](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t bits = wrap ? b & 31U : b;
    if (bits > 31) return a;
    if (bits == 0) return 0U;
    const std::uint32_t up = a << (32 - bits);
    return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(up) >> (32 - bits))
                     : up >> (32 - bits);
  });
}

/// One byte of the eight in c:a; selector bit 3 replicates the byte's sign bit.
[[nodiscard]] inline std::uint32_t chosen_byte(std::uint64_t pair, std::uint32_t selector) {
  const auto byte = static_cast<std::uint32_t>(pair >> (8 * (selector & 7U)) & 0xffU);
  if ((selector & 8U) == 0) return byte;
  return (byte & 0x80U) != 0 ? 0xffU : 0U;
}

/// PRMT: the selector of one byte. `mode` 0 takes it from b; the other modes compute it.
[[nodiscard]] inline std::uint32_t selector_of(std::uint32_t mode, std::uint32_t b, unsigned byte) {
  const std::uint32_t n = b & 3U;
  switch (mode) {
    case 1:
      return (n + byte) & 7U;  // F4E
    case 2:
      return (n - byte) & 7U;  // B4E
    case 3:
      return n;  // RC8
    case 4:
      return byte > n ? byte : n;  // ECL
    case 5:
      return byte < n ? byte : n;  // ECR
    case 6:
      return (n & 1U) * 2 + (byte & 1U);  // RC16
    default:
      return b >> (4 * byte) & 15U;
  }
}

inline void permute_bytes(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map3(warp, op, lanes, [mode = op.second](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t pair = std::uint64_t{c} << 32 | a;
    std::uint32_t result = 0;
    for (unsigned k = 0; k < 4; ++k)
      result |= chosen_byte(pair, selector_of(mode, b, k)) << (8 * k);
    return result;
  });
}

inline void count_bits(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map2(warp, op, lanes, [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(std::popcount(a & b));
  });
}

inline void find_leading(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool is_signed = op.has(flag::is_signed), as_shift = op.has(flag::position);
  map1(warp, op, lanes, [=](std::uint32_t a) {
    const std::uint32_t bits = is_signed && (a >> 31) != 0 ? ~a : a;
    if (bits == 0) return 0xffffffffU;
    const auto leading = static_cast<std::uint32_t>(std::countl_zero(bits));
    return as_shift ? leading : 31U - leading;
  });
}

inline void reverse_bits(Warp& warp, const MicroOp& op, LaneMask lanes) {
  map1(warp, op, lanes, [](std::uint32_t a) { return reversed(a); });
}

}  // namespace forewarp::execution::FOREWARP_LANES
