// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace forewarp::base {

/// As a quoted TOML string that reads back equal.
[[nodiscard]] std::string toml_quoted(std::string_view text);

/// The same for people: blanks in place of control characters.
[[nodiscard]] std::string toml_readable(std::string_view text);

}  // namespace forewarp::base
