// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace forewarp::characterise {

/// As a quoted TOML string; control characters become blanks.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace forewarp::characterise
