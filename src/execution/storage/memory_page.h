// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace forewarp::execution {

/// A page of global memory that was touched.
struct MemoryPage {
  static constexpr std::uint64_t bytes = 4096;
  std::array<std::uint8_t, bytes> data{};
  bool any_unknown = false;
  bool any_written = false;
  std::array<std::uint64_t, bytes / 64> unknown{};  ///< one bit per byte
  std::array<std::uint64_t, bytes / 64> written{};

  // For aligned elements of at most 16 bytes.
  [[nodiscard]] bool is_unknown(std::uint32_t offset, std::uint32_t count) const {
    return (unknown[offset / 64] & bits_of(offset, count)) != 0;
  }
  void mark_unknown(std::uint32_t offset, std::uint32_t count, bool value) {
    any_unknown = any_unknown || value;
    std::uint64_t& bits = unknown[offset / 64];
    bits = value ? bits | bits_of(offset, count) : bits & ~bits_of(offset, count);
  }
  void set_written(std::uint32_t offset, std::uint32_t count) {
    any_written = true;
    written[offset / 64] |= bits_of(offset, count);
  }
  /// The same for a range of any size.
  void fill_unknown(std::uint32_t offset, std::uint32_t count) {
    any_unknown = true;
    const std::uint32_t end = offset + count;
    for (std::uint32_t i = offset; i < end;) {
      const std::uint32_t taken = std::min(64 - i % 64, end - i);
      unknown[i / 64] |= (~std::uint64_t{0} >> (64 - taken)) << (i % 64);
      i += taken;
    }
  }

 private:
  [[nodiscard]] static std::uint64_t bits_of(std::uint32_t offset, std::uint32_t count) {
    return ((std::uint64_t{1} << count) - 1) << (offset % 64);
  }
};

}  // namespace forewarp::execution
