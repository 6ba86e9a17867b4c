// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "execution/state/findings.h"
#include "program/kernel.h"
#include "program/launch.h"

namespace forewarp::program_run {

/// An access to memory that is not the kernel's, in one line; `block`: threads of a block.
[[nodiscard]] std::string access_text(const Kernel& kernel, const execution::AccessFinding& finding,
                                      const Extent& block);

/// Why a launch could not be executed, with the way out of a program that is run.
[[nodiscard]] std::string failure_text(Diagnostic why);

}  // namespace forewarp::program_run
