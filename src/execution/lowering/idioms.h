// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "program/kernel.h"

namespace forewarp::execution {

/// What a branch of a compiler's idiom usually does, where its condition is unknown.
enum class Usual : std::uint8_t { unclear, not_taken, taken };

/// By instruction index. Idioms: the way to the slow path of a division, a square root or a
/// reciprocal (a call of, or a jump over the call of, a subroutine of the same kernel that its
/// entry code does not fall into), and conditions that FCHK made.
[[nodiscard]] std::vector<std::uint8_t> usual_outcomes(const Kernel& kernel);

}  // namespace forewarp::execution
