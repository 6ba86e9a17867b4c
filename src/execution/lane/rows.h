// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Address arithmetic of a warp's lanes, and words between memory and registers; see
// row_functions.h.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "execution/state/cells.h"
#include "execution/state/row_functions.h"

namespace forewarp::execution::FOREWARP_LANES {

/// All ones for lanes of the mask.
[[nodiscard]] inline std::uint64_t ones_if(LaneMask lanes, unsigned lane) {
  return std::uint64_t{0} - ((lanes >> lane) & 1U);
}

inline NearReach near_addresses(const std::uint32_t* low, std::uint32_t scale,
                                std::uint32_t constant, LaneMask lanes, std::uint64_t* address) {
  std::uint32_t highest = 0, bits = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t at = (low[i] << scale) + constant;
    const std::uint32_t counts = at & (0U - ((lanes >> i) & 1U));
    address[i] = at;
    highest = counts > highest ? counts : highest;
    bits |= counts;
  }
  return {highest, bits};
}

inline void far_addresses(const std::uint32_t* low, const std::uint32_t* high, std::uint64_t keep,
                          std::uint32_t scale, std::uint64_t constant, std::uint64_t* address) {
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint64_t pair = (std::uint64_t{high[i]} << 32 | low[i]) & keep;
    address[i] = (pair << scale) + constant;
  }
}

inline bool inside(const std::uint64_t* address, LaneMask lanes, std::uint64_t begin,
                   std::uint64_t size, std::uint32_t bytes) {
  const std::uint64_t last = size - bytes, low = bytes - 1U;
  std::uint64_t bad = 0, odd = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint64_t offset = address[i] - begin, counts = ones_if(lanes, i);
    // The top bit is set if the access begins before or ends after the range.
    bad |= ((last - offset) | offset) & counts;
    odd |= address[i] & counts;
  }
  return (bad >> 63 | (odd & low)) == 0;
}

inline bool alike(const std::uint64_t* address, LaneMask lanes, std::uint64_t first,
                  std::uint64_t bits) {
  std::uint64_t differs = 0;
  for (unsigned i = 0; i < lane_count; ++i) differs |= (address[i] ^ first) & ones_if(lanes, i);
  return (differs & bits) == 0;
}

inline bool same_offsets(const std::uint64_t* address, LaneMask lanes, std::uint64_t base,
                         const std::uint64_t* offset) {
  std::uint64_t differs = 0;
  for (unsigned i = 0; i < lane_count; ++i)
    differs |= (address[i] - base - offset[i]) & ones_if(lanes, i);
  return differs == 0;
}

/// Four words in one SIMD register.
using Quad = std::uint32_t __attribute__((vector_size(16)));

inline Quad load_quad(const void* from) {
  Quad quad;
  std::memcpy(&quad, from, sizeof quad);
  return quad;
}

inline void store_quad(void* to, Quad quad) {
  std::memcpy(to, &quad, sizeof quad);
}

/// Transposes a 4x4 matrix.
inline void transpose(std::array<Quad, 4>& q) {
  const Quad a = __builtin_shufflevector(q[0], q[1], 0, 4, 1, 5);
  const Quad b = __builtin_shufflevector(q[2], q[3], 0, 4, 1, 5);
  const Quad c = __builtin_shufflevector(q[0], q[1], 2, 6, 3, 7);
  const Quad d = __builtin_shufflevector(q[2], q[3], 2, 6, 3, 7);
  q[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  q[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  q[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  q[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/// Pattern of the lanes' addresses: all the same, consecutive words, or scattered.
enum class Lie { same, consecutive, scattered };

inline Lie lie_of(const std::uint64_t* address) {
  std::uint64_t moved = 0, bent = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint64_t step = address[i] - address[0];
    moved |= step;
    bent |= step ^ (std::uint64_t{4} * i);
  }
  if (moved == 0) return Lie::same;
  return bent == 0 ? Lie::consecutive : Lie::scattered;
}

inline void gather_some(const std::uint8_t* memory, const std::uint64_t* address,
                        std::uint64_t origin, LaneMask lanes, std::uint32_t bytes,
                        std::uint32_t* cells) {
  for (std::uint32_t word = 0; word < bytes / 4; ++word) {
    std::uint32_t* row = cells + std::size_t{word} * cell::words;
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(lanes, i)) std::memcpy(row + i, memory + (address[i] - origin) + 4 * word, 4);
    }
  }
}

inline void gather_same(const std::uint8_t* from, std::uint32_t bytes, std::uint32_t* cells) {
  for (std::uint32_t word = 0; word < bytes / 4; ++word) {
    std::uint32_t value = 0;
    std::memcpy(&value, from + 4 * word, 4);
    std::uint32_t* row = cells + std::size_t{word} * cell::words;
    for (unsigned i = 0; i < lane_count; ++i) row[i] = value;
  }
}

inline void gather(const std::uint8_t* memory, const std::uint64_t* address, std::uint64_t origin,
                   LaneMask lanes, std::uint32_t bytes, std::uint32_t* cells) {
  if (lanes != all_lanes) return gather_some(memory, address, origin, lanes, bytes, cells);
  const Lie lie = lie_of(address);
  if (lie == Lie::same) return gather_same(memory + (address[0] - origin), bytes, cells);
  if (bytes == 4 && lie == Lie::consecutive) {
    std::memcpy(cells, memory + (address[0] - origin), std::size_t{4} * lane_count);
  } else if (bytes == 4) {
    for (unsigned i = 0; i < lane_count; ++i)
      std::memcpy(cells + i, memory + (address[i] - origin), 4);
  } else if (bytes == 8) {
    for (unsigned i = 0; i < lane_count; ++i) {
      std::memcpy(cells + i, memory + (address[i] - origin), 4);
      std::memcpy(cells + cell::words + i, memory + (address[i] - origin) + 4, 4);
    }
  } else {
    for (unsigned i = 0; i < lane_count; i += 4) {
      std::array<Quad, 4> q;
      for (unsigned k = 0; k < 4; ++k) q[k] = load_quad(memory + (address[i + k] - origin));
      transpose(q);
      for (unsigned k = 0; k < 4; ++k) store_quad(cells + std::size_t{k} * cell::words + i, q[k]);
    }
  }
}

/// Lanes in ascending order, so that the last of several stores to one place wins.
inline void scatter(std::uint8_t* memory, const std::uint64_t* address, std::uint64_t origin,
                    LaneMask lanes, std::uint32_t bytes, const std::uint32_t* cells) {
  if (lanes == all_lanes && bytes == 4) {
    if (lie_of(address) == Lie::consecutive) {
      std::memcpy(memory + (address[0] - origin), cells, std::size_t{4} * lane_count);
      return;
    }
    for (unsigned i = 0; i < lane_count; ++i)
      std::memcpy(memory + (address[i] - origin), cells + i, 4);
    return;
  }
  if (lanes == all_lanes && bytes == 16) {
    for (unsigned i = 0; i < lane_count; i += 4) {
      std::array<Quad, 4> q;
      for (unsigned k = 0; k < 4; ++k) q[k] = load_quad(cells + std::size_t{k} * cell::words + i);
      transpose(q);
      for (unsigned k = 0; k < 4; ++k) store_quad(memory + (address[i + k] - origin), q[k]);
    }
    return;
  }
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    for (std::uint32_t word = 0; word < bytes / 4; ++word) {
      std::memcpy(memory + (address[i] - origin) + 4 * word,
                  cells + std::size_t{word} * cell::words + i, 4);
    }
  }
}

inline LaneMask any_set(const std::uint8_t* memory, const std::uint64_t* address, LaneMask lanes,
                        std::uint32_t bytes) {
  std::array<std::uint32_t, 4 * cell::words> rows{};
  gather(memory, address, 0, lanes, bytes, rows.data());
  LaneMask set = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t all =
        rows[i] | rows[cell::words + i] | rows[2 * cell::words + i] | rows[3 * cell::words + i];
    set |= LaneMask{all != 0} << i;
  }
  return set & lanes;
}

}  // namespace forewarp::execution::FOREWARP_LANES
