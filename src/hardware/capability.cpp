// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/capability.h"

#include "base/text.h"

namespace forewarp::hardware {

std::string Capability::text() const {
  return std::to_string(major) + '.' + std::to_string(minor);
}

Expected<Capability> parse_capability(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot != std::string_view::npos) {
    const auto major = parse_integer(text.substr(0, dot));
    const auto minor = parse_integer(text.substr(dot + 1));
    if (major && minor && *major >= 1 && *major < 100 && *minor >= 0 && *minor < 10) {
      return Capability{static_cast<int>(*major), static_cast<int>(*minor)};
    }
  }
  return Diagnostic{"compute capability", "'" + std::string(text) + "' is none",
                    "MAJOR.MINOR, as in 7.5", ""};
}

}  // namespace forewarp::hardware
