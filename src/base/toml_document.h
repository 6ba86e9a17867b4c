// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <toml++/toml.h>

#include "base/expected.h"

namespace forewarp::base {

/// The tables of a TOML text; nothing is thrown. Refused with the place in `file`: what is no TOML,
/// and a key of so many parts that recursive readers would not come back from it. `expected` and
/// `way_out` end the message.
Expected<toml::table> parse_toml_document(std::string_view text, std::string_view file,
                                          std::string_view expected, std::string_view way_out);

}  // namespace forewarp::base
