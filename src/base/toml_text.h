// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace forewarp::base {

/// What becomes of control characters: escapes read back equal, blanks read well.
enum class ControlCharacters : std::uint8_t { escaped, blank };

/// As a quoted TOML string.
[[nodiscard]] std::string toml_quoted(std::string_view text,
                                      ControlCharacters controls = ControlCharacters::escaped);

}  // namespace forewarp::base
