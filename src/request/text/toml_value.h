// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/expected.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// Reads a TOML document as a table; values have their line and column, keys are sorted. Refuses
/// invalid TOML, with the place; `expected` says for the message what the file should be.
Expected<PlainValue> parse_toml(std::string_view text, const ValueOrigin& origin,
                                std::string_view expected);

}  // namespace forewarp::request
