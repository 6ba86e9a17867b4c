// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "binding/path.h"
#include "execution/grid/warp_trace.h"
#include "program/kernel.h"

namespace forewarp::prediction {

/// Traced warps of one block as paths: warps with the same path become one, with their share of the
/// block. All paths share one loop table; when it is full, the loops that save the fewest
/// instructions are unrolled.
[[nodiscard]] std::vector<WarpPath> executed_paths(const Kernel& kernel,
                                                   const std::vector<WarpTrace>& traces);

}  // namespace forewarp::prediction
