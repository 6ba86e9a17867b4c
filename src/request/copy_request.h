// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/expected.h"
#include "request/case.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// Reads DIRECTION:BYTES[:MEMORY] or DIRECTION:same=ARG[:MEMORY] of --copy, such as h2d:4096 or
/// d2h:same=y:pinned.
Expected<CopyRequest> parse_copy(std::string_view text, std::string_view place = "--copy");

/// Reads {"bytes": N | {"same": ARG}, "direction": "h2d"|"d2h", "memory": "pageable"|"pinned"};
/// without "memory" it is pageable.
Expected<CopyRequest> read_copy(const ValueCursor& cursor);

/// The copy as parse_copy() reads it.
[[nodiscard]] std::string copy_text(const CopyRequest& copy);

}  // namespace forewarp::request
