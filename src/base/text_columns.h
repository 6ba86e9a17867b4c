// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forewarp::base {

/// Width of `text` in columns, one per UTF-8 code point.
[[nodiscard]] std::size_t text_width(std::string_view text);

/// The text with blanks before it (to the right) or behind it; unchanged if it is wider.
[[nodiscard]] std::string padded(std::string text, std::size_t width, bool to_the_right);

}  // namespace forewarp::base
