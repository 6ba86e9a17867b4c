// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>

namespace forewarp::measured {

/// Letters, digits and the underscore: what C, Python and their macros take for parts of a name.
[[nodiscard]] inline bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace forewarp::measured
