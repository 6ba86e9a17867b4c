// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "execution/lowering/program.h"
#include "execution/storage/execution_input.h"

namespace forewarp::execution {

/// Where values from global memory decide what is executed, lets buffers of floating elements whose
/// content is not known hold ordinary numbers, so that slow paths for denormals, infinities and
/// large arguments are as rare as they are. Returns the names of these buffers. Integers stay
/// unknown: what they decide (trips, addresses) has no ordinary value.
std::vector<std::string> take_ordinary_values(const Program& program, ExecutionInput& input);

}  // namespace forewarp::execution
