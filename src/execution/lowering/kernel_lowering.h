// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "execution/lowering/program.h"

namespace forewarp::execution {

/// Translates a kernel. Instructions that it does not know are no error: they stop the warp that
/// reaches them. Fails for a kernel without instructions.
Expected<Program> lower_kernel(const Kernel& kernel);

}  // namespace forewarp::execution
