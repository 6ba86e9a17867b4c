// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/access/access_stream.h"
#include "execution/access/edited_streams.h"

namespace forewarp::execution {

/// A buffer that is read as a matrix with rows of `pitch` bytes: the element at (row, column) moves
/// to (column, row). What lies behind the last whole row stays.
[[nodiscard]] AccessChange transposed(const BufferRange& buffer, std::uint64_t pitch,
                                      std::uint64_t element);

/// Rows of `pitch` bytes with `padding` bytes behind each.
[[nodiscard]] AccessChange padded(std::uint64_t pitch, std::uint64_t padding);

}  // namespace forewarp::execution
