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

using BoxIndex = std::array<std::int32_t, TensorMap::most_dimensions>;

/// Where a copy's box is: coordinates of its first element; of columns of pixels also what is added
/// to the coordinates of each pixel to find what is copied for it.
struct BoxPlace {
  BoxIndex first{}, offset{};
};

/// The rows of a box, which lie one behind the other in shared memory.
class BoxRows {
 public:
  BoxRows(const TensorMap& map, const BoxPlace& place)
      : map_(map), place_(place), at_(place.first) {}

  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t rows = 1;
    for (std::uint32_t d = 1; d < map_.rank; ++d) rows *= map_.box[d];
    return rows;
  }
  /// Whether the row at hand lies inside the array along all dimensions but the innermost.
  [[nodiscard]] bool inside() const {
    for (std::uint32_t d = 1; d < map_.rank; ++d) {
      if (index(d) < 0 || index(d) >= static_cast<std::int64_t>(map_.size[d])) return false;
    }
    return true;
  }
  /// Of element 0 along the innermost dimension.
  [[nodiscard]] std::uint64_t address() const {
    std::uint64_t address = map_.address;
    for (std::uint32_t d = 1; d < map_.rank; ++d)
      address += static_cast<std::uint64_t>(index(d)) * map_.stride[d];
    return address;
  }
  void advance() {
    for (std::uint32_t d = 1; d < map_.rank; ++d) {
      const bool of_pixels = map_.pixels != 0 && d + 1 < map_.rank;
      at_[d] += of_pixels ? static_cast<std::int32_t>(map_.step[d]) : 1;
      if (map_.pixels != 0 ? !of_pixels || at_[d] <= last_pixel(d) : in_box(d)) return;
      at_[d] = of_pixels ? map_.lower[d] : place_.first[d];
    }
  }

 private:
  [[nodiscard]] std::int64_t index(std::uint32_t d) const {
    return std::int64_t{at_[d]} + place_.offset[d];
  }
  [[nodiscard]] bool in_box(std::uint32_t d) const {
    return std::int64_t{at_[d]} - place_.first[d] < std::int64_t{map_.box[d]};
  }
  [[nodiscard]] std::int64_t last_pixel(std::uint32_t d) const {
    return static_cast<std::int64_t>(map_.size[d]) - 1 + map_.upper[d];
  }

  const TensorMap& map_;
  BoxPlace place_;
  BoxIndex at_;
};

/// Calls f(BoxPiece) for all pieces of a box in the order in which they lie in shared memory. A
/// piece that begins outside the array, along any dimension, is filled; one that crosses the end of
/// a row has its tail filled.
template <class F>
void for_each_piece(const TensorMap& map, const BoxPlace& place, F f) {
  const std::uint32_t row_bytes = map.box[0] * map.element_bytes;
  const std::int64_t row_end = static_cast<std::int64_t>(map.size[0] * map.element_bytes);
  BoxRows rows(map, place);
  BoxPiece piece;
  for (std::uint64_t row = rows.count(); row > 0; --row, rows.advance()) {
    const bool inside = rows.inside();
    const std::uint64_t address = rows.address();
    for (std::uint32_t offset = 0; offset < row_bytes; offset += piece_bytes) {
      const std::int64_t begin = std::int64_t{place.first[0]} * map.element_bytes + offset;
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
  }
}

}  // namespace forewarp::execution
