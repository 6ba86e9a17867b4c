// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/expected.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// Reads one JSON value. Refuses, with line and column: invalid JSON, a repeated key of an object,
/// and nesting deeper than any case needs.
Expected<PlainValue> parse_json(std::string_view text, const ValueOrigin& origin);

}  // namespace forewarp::request
