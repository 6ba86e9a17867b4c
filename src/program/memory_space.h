// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::program {

/// Address space of an access or a variable. Traces write its number.
enum class MemorySpace : std::uint8_t {
  global,
  shared,
  local,
  generic,  ///< global, shared or local, as the address says
  constant,
  texture,
  surface,
  none,   ///< no access
  other,  ///< through the memory interface of the SM without an address: shuffles, special
          ///< registers
};

}  // namespace forewarp::program
