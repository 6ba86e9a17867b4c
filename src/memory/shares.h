// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::memory {

/// 0 of nothing.
[[nodiscard]] inline double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

[[nodiscard]] inline double number(std::uint64_t count) {
  return static_cast<double>(count);
}

}  // namespace forewarp::memory
