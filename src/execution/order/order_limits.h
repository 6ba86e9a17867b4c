// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::execution {

/// How blocks run side by side.
struct OrderLimits {
  std::uint64_t resident = 0;  ///< blocks at a time
  bool strict = true;          ///< false: more start when all that are resident wait
  std::uint64_t most_instructions = ~std::uint64_t{0};  ///< what wakes cost counts as such
};

}  // namespace forewarp::execution
