// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "program/kernel.h"
#include "program/launch.h"

namespace forewarp::prediction {

/// Whether every argument is given by index and the indices are 0, 1, 2 .. in any order.
[[nodiscard]] bool given_in_order(const std::vector<NamedArgument>& arguments);

/// C's layout of arguments that are given in order: each at the next multiple of its alignment. A
/// plain number takes 8 bytes where `inferred` has an 8-byte parameter at that offset, unless
/// buffers then lie where the code has no pointers, else 4.
/// Parameters of `inferred` behind the last argument follow unchanged.
[[nodiscard]] std::vector<Parameter> layout_of_arguments(
    const std::vector<NamedArgument>& arguments, const std::vector<Parameter>& inferred);

}  // namespace forewarp::prediction
