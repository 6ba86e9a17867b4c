// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "program/tensor_map.h"

namespace forewarp::execution {

/// What an argument holds for the tensor map of this number: a mark and the number. Kernels may
/// copy these bytes, but never look into them.
[[nodiscard]] std::array<std::uint8_t, TensorMap::bytes> tensor_map_bytes(std::uint32_t number);

/// The number; nullopt where the bytes are something else.
[[nodiscard]] std::optional<std::uint32_t> tensor_map_number(
    std::span<const std::uint8_t, 16> bytes);

}  // namespace forewarp::execution
