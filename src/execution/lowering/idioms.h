// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "program/kernel.h"

namespace forewarp::execution {

/// The usual outcome of a branch in a compiler idiom, for when its condition is unknown.
enum class Usual : std::uint8_t { unclear, not_taken, taken };

/// By instruction index. The idioms: entering the slow path of a division, square root or
/// reciprocal (a call, or a jump over the call, of a subroutine in the same kernel that the entry
/// code does not fall into), and conditions computed by FCHK.
[[nodiscard]] std::vector<std::uint8_t> usual_outcomes(const Kernel& kernel);

}  // namespace forewarp::execution
