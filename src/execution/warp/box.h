// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "program/tensor_map.h"

namespace forewarp::execution {

/// 16 bytes of a box: bulk and tensor copies move whole pieces.
inline constexpr std::uint32_t piece_bytes = 16;

struct BoxPiece {
  std::uint64_t global = 0;  ///< address; meaningless where `inside` is 0
  std::uint32_t shared = 0;  ///< byte offset in the box as it lies in shared memory, not swizzled
  std::uint32_t inside = 0;  ///< bytes that lie inside the array, from the piece's first on
};

/// Calls f(BoxPiece) for all pieces of the box whose first element has these coordinates, in the
/// order in which they lie in shared memory. A piece that begins outside the array, along any
/// dimension, is filled; one that crosses the end of a row has its tail filled.
template <class F>
void for_each_piece(const TensorMap& map,
                    const std::array<std::int32_t, TensorMap::most_dimensions>& first, F f) {
  const std::uint32_t row_bytes = map.box[0] * map.element_bytes;
  std::uint64_t rows = 1;
  for (std::uint32_t d = 1; d < map.rank; ++d) rows *= map.box[d];
  std::array<std::uint32_t, TensorMap::most_dimensions> at{};
  BoxPiece piece;
  for (std::uint64_t row = 0; row < rows; ++row) {
    bool inside = true;
    std::uint64_t address = map.address;
    for (std::uint32_t d = 1; d < map.rank; ++d) {
      const std::int64_t index = std::int64_t{first[d]} + at[d];
      inside = inside && index >= 0 && index < static_cast<std::int64_t>(map.size[d]);
      address += static_cast<std::uint64_t>(index) * map.stride[d];
    }
    const std::int64_t row_end = static_cast<std::int64_t>(map.size[0] * map.element_bytes);
    for (std::uint32_t offset = 0; offset < row_bytes; offset += piece_bytes) {
      const std::int64_t begin = std::int64_t{first[0]} * map.element_bytes + offset;
      const std::uint32_t wanted =
          row_bytes - offset < piece_bytes ? row_bytes - offset : piece_bytes;
      piece.global = address + static_cast<std::uint64_t>(begin);
      piece.inside = 0;
      if (inside && begin >= 0 && begin < row_end) {
        const std::int64_t left = row_end - begin;
        piece.inside = left < wanted ? static_cast<std::uint32_t>(left) : wanted;
      }
      f(piece);
      piece.shared += wanted;
    }
    for (std::uint32_t d = 1; d < map.rank; ++d) {
      if (++at[d] < map.box[d]) break;
      at[d] = 0;
    }
  }
}

}  // namespace forewarp::execution
