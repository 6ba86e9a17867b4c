// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace forewarp::program {

/// Functions that compiled code calls and the driver has (CUDA C++ Programming Guide, "Formatted
/// Output", "Assertion", "Dynamic Global Memory Allocation"). Arguments are in R4 and up, a pair of
/// registers for 8 bytes; the result is in R4 and R5.
enum class OutsideFunction : std::uint8_t { other, print, fail_assertion, allocate, release };

inline constexpr std::array<std::string_view, 5> outside_names = {"", "vprintf", "__assertfail",
                                                                  "malloc", "free"};

[[nodiscard]] constexpr OutsideFunction outside_function(std::string_view name) {
  for (std::size_t i = 1; i < outside_names.size(); ++i) {
    if (outside_names[i] == name) return static_cast<OutsideFunction>(i);
  }
  return OutsideFunction::other;
}

/// What tables of addresses hold for such a function. No code and no variable lies there.
inline constexpr std::uint64_t outside_addresses = 0x0300'0000;
inline constexpr std::uint64_t outside_address_step = 16;

[[nodiscard]] constexpr std::uint64_t outside_address(OutsideFunction function) {
  return outside_addresses + outside_address_step * static_cast<std::uint64_t>(function);
}
[[nodiscard]] constexpr OutsideFunction outside_function_at(std::uint64_t address) {
  const std::uint64_t number = (address - outside_addresses) / outside_address_step;
  if (address < outside_addresses || number >= outside_names.size()) return OutsideFunction::other;
  return static_cast<OutsideFunction>(number);
}

}  // namespace forewarp::program
