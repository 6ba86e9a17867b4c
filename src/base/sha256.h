// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace forewarp::base {

/// SHA-256 of the bytes in 64 hexadecimal digits: the key for all that is cached by content.
[[nodiscard]] std::string sha256_of(std::string_view bytes);

}  // namespace forewarp::base
