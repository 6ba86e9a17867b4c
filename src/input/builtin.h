// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/registry.h"
#include "input/reader.h"

namespace forewarp::input {

/// All readers, in the order in which they are asked about an input.
[[nodiscard]] Registry<Reader> builtin_readers();

}  // namespace forewarp::input
