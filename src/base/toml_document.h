// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <toml++/toml.h>

#include "base/expected.h"

namespace forewarp::base {

/// Parses a TOML text without throwing. Fails, with the position in `file`, for invalid TOML and
/// for keys with so many parts that recursive readers would overflow the stack. `expected` and
/// `way_out` complete the message.
Expected<toml::table> parse_toml_document(std::string_view text, std::string_view file,
                                          std::string_view expected, std::string_view way_out);

}  // namespace forewarp::base
