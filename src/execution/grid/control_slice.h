// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/lowering/program.h"

namespace forewarp::execution {

/// A program reduced to what decides which instructions are executed: branches, what their
/// conditions are computed from, barriers. All else is skipped, but still counted as executed.
/// Stores to global memory are among what is skipped, so values that a kernel passes to itself
/// through it are not followed.
[[nodiscard]] Program control_slice(const Program& program);

/// What an instruction that is left out becomes: guarded by a predicate that never holds.
[[nodiscard]] MicroOp skipped_op();

}  // namespace forewarp::execution
