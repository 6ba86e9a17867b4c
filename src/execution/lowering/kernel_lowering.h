// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "execution/lowering/program.h"

namespace forewarp::execution {

/// Translates a kernel. Instructions that it does not know are no error: they stop the warp that
/// reaches them. Fails for a kernel without instructions.
Expected<Program> lower_kernel(const Kernel& kernel);

/// Whether functions lie in the kernel's code that are called by their addresses since sm_70: they
/// return to one.
[[nodiscard]] bool holds_functions(const Kernel& kernel);

/// Whether it may call functions of the driver: printf, malloc, failed assertions.
[[nodiscard]] bool may_call_driver(const Program& program);

}  // namespace forewarp::execution
