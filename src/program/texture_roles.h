// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "program/kernel.h"

namespace forewarp::program {

/// Register groups of a texture instruction: two destinations (the second operand holds the first
/// two channels) and two sources. Before sm_70 the long forms have one destination.
struct TextureShape {
  std::uint8_t destination_operands = 2;
  std::array<std::uint8_t, 2> destination{0, 0};  ///< registers of the first and second operand
  std::array<std::uint8_t, 2> source{1, 1};       ///< registers of the first and second source
};

[[nodiscard]] TextureShape texture_shape(const Kernel& kernel, const Instruction& instruction);

/// Whether the handle is in a register: `.B`, which right behind a gather's name means its third
/// channel.
[[nodiscard]] bool has_register_handle(const Kernel& kernel, const Instruction& instruction);

}  // namespace forewarp::program
