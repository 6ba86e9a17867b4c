// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/expected.h"

namespace forewarp::hardware {

/// Compute capability X.Y.
struct Capability {
  int major = 0;
  int minor = 0;
  auto operator<=>(const Capability&) const = default;
  [[nodiscard]] std::string text() const;                      ///< "5.2"
  [[nodiscard]] int sm() const { return major * 10 + minor; }  ///< 52
};

/// "7.5" -> {7, 5}.
Expected<Capability> parse_capability(std::string_view text);

}  // namespace forewarp::hardware
