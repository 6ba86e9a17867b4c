// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace forewarp::program {

/// How a tensor copy sees an array in global memory and lays a box of it out in shared memory, as
/// the driver's cuTensorMapEncodeTiled takes it, or cuTensorMapEncodeIm2col: then a box is a column
/// of pixels, and its dimensions are channels, width, height, depth and images. Dimension 0 is the
/// innermost.
struct TensorMap {
  static constexpr std::uint32_t most_dimensions = 5;
  /// Of the argument that holds a map; what the bytes mean is the driver's secret, so that an
  /// argument holds a number of a map instead.
  static constexpr std::uint32_t bytes = 128;

  std::uint64_t address = 0;
  std::uint32_t rank = 0;
  std::uint32_t element_bytes = 0;
  std::array<std::uint64_t, most_dimensions> size{};    ///< elements
  std::array<std::uint64_t, most_dimensions> stride{};  ///< bytes; of dimension 0: element_bytes
  std::array<std::uint32_t, most_dimensions> box{};     ///< elements
  /// Of columns of pixels: how many there are in one; 0: boxes. box[0] are their channels, box[1]
  /// is this number and the rest 1.
  std::uint32_t pixels = 0;
  /// By dimension, of columns: pixels come from `lower` to size - 1 + `upper`, each `step`-th.
  std::array<std::int32_t, most_dimensions> lower{}, upper{};
  std::array<std::uint32_t, most_dimensions> step{1, 1, 1, 1, 1};
  std::uint32_t swizzle = 0;  ///< bytes of a row over which 16-byte pieces change places; 0: none
  bool fill_nan = false;      ///< what lies outside the array: NaN, else zero

  [[nodiscard]] std::uint64_t box_bytes() const {
    std::uint64_t total = element_bytes;
    for (std::uint32_t d = 0; d < rank; ++d) total *= box[d];
    return total;
  }
  /// Of the array, from its first byte to past its last.
  [[nodiscard]] std::uint64_t reach() const {
    std::uint64_t last = element_bytes;
    for (std::uint32_t d = 0; d < rank; ++d) last += (size[d] - 1) * stride[d];
    return last;
  }
};

/// Where byte `offset` of a box with rows that are swizzled over `swizzle` bytes lies: the number
/// of the 16-byte piece within its row of `swizzle` bytes is changed by the number of the row of
/// 128 bytes it lies in. PTX ISA, "Tensor swizzling modes".
[[nodiscard]] constexpr std::uint32_t swizzled(std::uint32_t offset, std::uint32_t swizzle) {
  if (swizzle == 0) return offset;
  const std::uint32_t pieces = swizzle / 16;
  return offset ^ ((offset >> 7) & (pieces - 1)) << 4;
}

}  // namespace forewarp::program
