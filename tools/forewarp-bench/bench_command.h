// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forewarp/command_line.h"

namespace forewarp::cli {

/// The commands of forewarp-bench: list, check, run, visible.
[[nodiscard]] Command bench_commands();

}  // namespace forewarp::cli
