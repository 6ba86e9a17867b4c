// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/lowering/program.h"

namespace forewarp::execution {

/// Whether an address in global memory follows from a value that was loaded there: a gather, a
/// scatter, a list. Followed through registers, predicates, and shared memory as a whole, not
/// through branches or local memory. Where none does, addresses are functions of a thread's index.
[[nodiscard]] bool addresses_follow_data(const Program& program);

}  // namespace forewarp::execution
