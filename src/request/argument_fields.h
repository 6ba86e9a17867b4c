// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/expected.h"
#include "program/launch.h"
#include "request/text/value_cursor.h"

namespace forewarp::request {

/// Reads `args`: a list in parameter order (null leaves a parameter unset) or a table by parameter
/// name, where a name of digits is an index.
Expected<std::vector<NamedArgument>> read_arguments(const ValueCursor& cursor);

/// Reads `constants`: a table by symbol name.
Expected<std::vector<NamedArgument>> read_constants(const ValueCursor& cursor);

}  // namespace forewarp::request
