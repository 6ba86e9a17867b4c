// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "execution/state/half_number.h"

namespace forewarp::execution {

/// What a matrix unit multiplies.
/// b1: 32 bits side by side, of which a pair counts where both are set or, xor_b1, where one is.
enum class MatrixNumber : std::uint8_t { f16, bf16, tf32, f64, s8, u8, s4, u4, b1, xor_b1 };

[[nodiscard]] constexpr unsigned bits_of(MatrixNumber number) {
  switch (number) {
    case MatrixNumber::f16:
    case MatrixNumber::bf16:
      return 16;
    case MatrixNumber::tf32:
    case MatrixNumber::b1:
    case MatrixNumber::xor_b1:
      return 32;
    case MatrixNumber::f64:
      return 64;
    case MatrixNumber::s8:
    case MatrixNumber::u8:
      return 8;
    default:
      return 4;
  }
}

/// Element `part` of a register, or of a word of memory.
[[nodiscard]] inline double element_of(std::uint32_t word, unsigned part, MatrixNumber number) {
  const unsigned bits = bits_of(number);
  const std::uint32_t raw = bits < 32 ? word >> bits * part & ((1U << bits) - 1) : word;
  switch (number) {
    case MatrixNumber::f16:
      return half_to_float(raw);
    case MatrixNumber::bf16:
      return std::bit_cast<float>(raw << 16);
    case MatrixNumber::tf32:
      return std::bit_cast<float>(raw & ~0x1fffU);
    case MatrixNumber::s8:
      return static_cast<std::int8_t>(raw);
    case MatrixNumber::s4:
      return static_cast<int>(raw ^ 8U) - 8;
    default:
      return raw;
  }
}

/// A product of one warp: rows x depth times depth x 8. Packed into MicroOp::immediate.
struct MatrixForm {
  std::uint32_t rows = 16;  ///< 8 or 16
  std::uint32_t depth = 16;
  MatrixNumber left = MatrixNumber::f16;
  MatrixNumber right = MatrixNumber::f16;
  // Products of a warp group alone.
  bool left_in_registers = false;
  bool left_across = false;   ///< in shared memory with its rows side by side, not its depth
  bool right_across = false;  ///< with its columns side by side
  bool negative = false;      ///< the products are subtracted
  // Products of one warp alone: of four elements of A side by side two are there; which, a register
  // says (MicroOp::uniform_cell, of the lanes that MicroOp::bank names).
  bool sparse = false;

  [[nodiscard]] constexpr std::uint32_t packed() const {
    return rows | depth << 8 | static_cast<std::uint32_t>(left) << 16 |
           static_cast<std::uint32_t>(right) << 20 | std::uint32_t{left_in_registers} << 24 |
           std::uint32_t{left_across} << 25 | std::uint32_t{right_across} << 26 |
           std::uint32_t{negative} << 27 | std::uint32_t{sparse} << 28;
  }
  [[nodiscard]] static constexpr MatrixForm unpacked(std::uint32_t word) {
    return {word & 0xffU,
            word >> 8 & 0xffU,
            static_cast<MatrixNumber>(word >> 16 & 0xfU),
            static_cast<MatrixNumber>(word >> 20 & 0xfU),
            (word >> 24 & 1U) != 0,
            (word >> 25 & 1U) != 0,
            (word >> 26 & 1U) != 0,
            (word >> 27 & 1U) != 0,
            (word >> 28 & 1U) != 0};
  }
};

}  // namespace forewarp::execution
