// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace forewarp::base {

/// The text made safe inside an element or a quoted attribute; control characters become blanks.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace forewarp::base
