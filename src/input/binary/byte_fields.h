// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string_view>
#include <type_traits>

namespace forewarp::input {

/// The little-endian number at `offset`; 0 if it exceeds `bytes`.
template <typename T>
[[nodiscard]] T field(std::string_view bytes, std::size_t offset) {
  static_assert(std::is_unsigned_v<T>);
  T value = 0;
  if (offset <= bytes.size() && sizeof(T) <= bytes.size() - offset) {
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
  }
  return value;
}

}  // namespace forewarp::input
