// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::execution {

/// Byte offsets at which compiled code finds the launch's values in constant bank 0, by instruction
/// set family (from probe listings of sm_35 to sm_90). `none` where the family has no such
/// constant.
struct BankLayout {
  static constexpr std::uint32_t none = 0xffffffffU;
  std::uint32_t first_sm = 0;          ///< this row applies from here up to the next row's first_sm
  std::uint32_t block = none;          ///< blockDim x, y, z
  std::uint32_t grid = none;           ///< gridDim x, y, z
  std::uint32_t stack = none;          ///< initial stack pointer
  std::uint32_t parameters = none;     ///< first parameter
  std::uint32_t shared_window = none;  ///< generic address of shared memory
  std::uint32_t local_window = none;   ///< generic address of local memory
  std::uint32_t window_words = 1;      ///< 32-bit words of a window's address
  std::uint32_t workspace_high =
      none;  ///< cooperative launches: high word of the workspace's address
  std::uint32_t workspace_low = none;
  /// Generic address of the first parameter, by which tensor copies find their maps.
  std::uint32_t parameter_window = none;
  std::uint32_t constants = none;  ///< generic address of bank 3, the program's constants
  std::uint32_t cluster = none;  ///< blocks of a cluster: along x, y, z and, at 0x48 behind, in all
  std::uint32_t shared_reserve = 0;  ///< bytes of shared memory in front of the kernel's own
};

/// The row for an architecture number such as 52.
[[nodiscard]] const BankLayout& bank_layout(std::uint32_t sm);

}  // namespace forewarp::execution
