// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/expected.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// One JSON value. Refused with line and column: what is no JSON, a key that stands twice in an
/// object, nesting deeper than any case needs.
Expected<PlainValue> parse_json(std::string_view text, const ValueOrigin& origin);

}  // namespace forewarp::request
