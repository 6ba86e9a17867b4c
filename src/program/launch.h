// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::program {

/// x, y, z.
using Extent = std::array<std::uint32_t, 3>;

[[nodiscard]] inline std::uint64_t volume(const Extent& e) {
  return std::uint64_t{e[0]} * e[1] * e[2];
}

/// Coordinates of block number `linear`, x fastest.
[[nodiscard]] inline Extent block_index(std::uint64_t linear, const Extent& grid) {
  return {static_cast<std::uint32_t>(linear % grid[0]),
          static_cast<std::uint32_t>(linear / grid[0] % grid[1]),
          static_cast<std::uint32_t>(linear / grid[0] / grid[1])};
}

/// The number of the block with these coordinates; inverse of block_index().
[[nodiscard]] inline std::uint64_t block_number(const Extent& index, const Extent& grid) {
  return (std::uint64_t{index[2]} * grid[1] + index[1]) * grid[0] + index[0];
}

/// "(x,y,z)".
[[nodiscard]] inline std::string extent_text(const Extent& extent) {
  return "(" + std::to_string(extent[0]) + "," + std::to_string(extent[1]) + "," +
         std::to_string(extent[2]) + ")";
}

/// Content of a buffer argument before the launch.
struct BufferContent {
  enum class Kind : std::uint8_t {
    unknown,
    zeros,
    ones,
    iota,
    random,
    fill,
    file,
    chain,
    pointers
  };
  Kind kind = Kind::unknown;
  std::uint64_t seed = 0;
  double low = 0, high = 1;  ///< random:SEED:LOW:HIGH
  double value = 0;          ///< fill:V
  std::uint64_t stride = 1;  ///< chain:STRIDE, pointers:STRIDE, in elements
  std::string path;          ///< file:PATH
  std::string type;          ///< "f32", "i32", "u8" ..; empty: the parameter's type
};

/// One argument of a launch.
struct Argument {
  enum class Kind : std::uint8_t { integer, floating, bytes, buffer, same_buffer };
  Kind kind = Kind::integer;
  std::string type;  ///< "i32", "f64" if stated; empty: as in the kernel's signature
  std::int64_t integer = 0;
  double floating = 0;
  std::vector<std::uint8_t> bytes;  ///< {"hex": ".."}
  std::uint64_t buffer_bytes = 0;
  BufferContent content;
  std::uint32_t same_as = 0;  ///< same_buffer: index of the other argument
};

/// An argument and how it was named: by parameter name or by index.
struct NamedArgument {
  std::string name;  ///< empty if named by index
  std::optional<std::uint32_t> index;
  Argument value;
};

/// A launch of a kernel. Sizes in bytes.
struct LaunchConfig {
  Extent grid{0, 1, 1};
  Extent block{0, 1, 1};
  /// Blocks that start together and see each other's shared memory; 0: as the kernel says, else
  /// one.
  Extent cluster{0, 1, 1};
  std::uint32_t dynamic_shared = 0;
  std::vector<NamedArgument> arguments;
  std::vector<NamedArgument> constants;  ///< module-scope symbols, by name

  [[nodiscard]] std::uint64_t blocks() const { return volume(grid); }
  [[nodiscard]] std::uint32_t threads_per_block() const {
    return static_cast<std::uint32_t>(volume(block));
  }
};

}  // namespace forewarp::program
