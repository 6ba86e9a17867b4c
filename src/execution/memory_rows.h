// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "execution/memory_access.h"

namespace forewarp {

/// Whether all lanes access [begin, begin + size) at multiples of the access's size. Without a
/// branch per lane; `size` is at least the access's.
[[nodiscard]] inline bool all_inside(const MemoryAccess& access, LaneMask lanes,
                                     std::uint64_t begin, std::uint64_t size) {
  const std::uint64_t last = size - access.bytes, low = access.bytes - 1U;
  std::uint64_t bad = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint64_t offset = access.address[i] - begin;
    const std::uint64_t mine = (last - offset) >> 63 | offset >> 63 | (access.address[i] & low);
    bad |= has_lane(lanes, i) ? mine : 0;
  }
  return bad == 0;
}

/// The words of one lane, 4, 8 or 16 bytes, between memory and cells.
template <unsigned Bytes>
inline void words_to_cells(std::uint32_t* cells, const std::uint8_t* memory) {
  for (unsigned word = 0; word < Bytes / 4; ++word) {
    std::memcpy(cells + std::size_t{word} * cell::words, memory + 4 * word, 4);
  }
}

template <unsigned Bytes>
inline void cells_to_words(std::uint8_t* memory, const std::uint32_t* cells) {
  for (unsigned word = 0; word < Bytes / 4; ++word) {
    std::memcpy(memory + 4 * word, cells + std::size_t{word} * cell::words, 4);
  }
}

/// f(lane) for the lanes of a mask; without a test per lane when it is full.
template <class F>
inline void for_lanes(LaneMask lanes, F f) {
  if (lanes == all_lanes) {
    for (unsigned i = 0; i < lane_count; ++i) f(i);
    return;
  }
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i)) f(i);
  }
}

/// Whether one of so many flags is set.
template <unsigned Bytes>
[[nodiscard]] inline bool any_set(const std::uint8_t* flags) {
  std::uint32_t all = 0;
  for (unsigned word = 0; word < Bytes / 4; ++word) {
    std::uint32_t four = 0;
    std::memcpy(&four, flags + 4 * word, 4);
    all |= four;
  }
  return all != 0;
}

/// Calls f with the access's size as a constant: 4, 8 or 16. False for narrower ones.
template <class F>
inline bool with_words(unsigned bytes, F f) {
  switch (bytes) {
    case 4:
      f.template operator()<4>();
      return true;
    case 8:
      f.template operator()<8>();
      return true;
    case 16:
      f.template operator()<16>();
      return true;
    default:
      return false;
  }
}

}  // namespace forewarp
