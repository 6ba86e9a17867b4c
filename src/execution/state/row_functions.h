// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/state/lanes.h"

namespace forewarp::execution {

/// Over addresses below 2^32: the highest, and the bitwise OR of all.
struct NearReach {
  std::uint32_t highest = 0xffffffffU;
  std::uint32_t bits = 0xffffffffU;
  /// Whether accesses of `bytes` bytes (a power of two) are aligned and lie in [0, size).
  [[nodiscard]] bool inside(std::uint64_t size, std::uint32_t bytes) const {
    return std::uint64_t{highest} + bytes <= size && (bits & (bytes - 1)) == 0;
  }
};

/// What memory instructions do with the 32 addresses of a warp; built twice, like the lane
/// operations. A row is one value per lane.
struct RowFunctions {
  /// (low << scale) + constant modulo 2^32; returns the reach of the addresses of `lanes`.
  NearReach (*near_addresses)(const std::uint32_t* low, std::uint32_t scale, std::uint32_t constant,
                              LaneMask lanes, std::uint64_t* address);
  /// ((high:low & keep) << scale) + constant modulo 2^64.
  void (*far_addresses)(const std::uint32_t* low, const std::uint32_t* high, std::uint64_t keep,
                        std::uint32_t scale, std::uint64_t constant, std::uint64_t* address);
  /// Whether all `lanes` access [begin, begin + size) at multiples of `bytes`; size >= bytes.
  bool (*inside)(const std::uint64_t* address, LaneMask lanes, std::uint64_t begin,
                 std::uint64_t size, std::uint32_t bytes);
  /// Whether the addresses of `lanes` equal `address[first]` in all bits of the mask `bits`.
  bool (*alike)(const std::uint64_t* address, LaneMask lanes, std::uint64_t first,
                std::uint64_t bits);
  /// Whether address - base equals `offset` in each of `lanes`.
  bool (*same_offsets)(const std::uint64_t* address, LaneMask lanes, std::uint64_t base,
                       const std::uint64_t* offset);
  /// Loads `bytes` (4, 8 or 16) per lane of `lanes`, from memory + (address - origin), into one row
  /// of `cells` per word.
  void (*gather)(const std::uint8_t* memory, const std::uint64_t* address, std::uint64_t origin,
                 LaneMask lanes, std::uint32_t bytes, std::uint32_t* cells);
  void (*scatter)(std::uint8_t* memory, const std::uint64_t* address, std::uint64_t origin,
                  LaneMask lanes, std::uint32_t bytes, const std::uint32_t* cells);
  /// The lanes of `lanes` for which any of the bytes is not zero.
  LaneMask (*any_set)(const std::uint8_t* memory, const std::uint64_t* address, LaneMask lanes,
                      std::uint32_t bytes);
};

[[nodiscard]] const RowFunctions& portable_row_functions();
[[nodiscard]] const RowFunctions& avx2_row_functions();

/// The faster build that this processor can run.
[[nodiscard]] const RowFunctions& row_functions();

}  // namespace forewarp::execution
