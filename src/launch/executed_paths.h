// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "binding/path.h"
#include "execution/grid/warp_trace.h"
#include "program/kernel.h"

namespace forewarp::launch {

/// Traced warps of one block as paths: warps that went alike are one, with their share. All paths
/// have one loop table; loops beyond its size are unrolled, those that save least first.
[[nodiscard]] std::vector<WarpPath> executed_paths(const Kernel& kernel,
                                                   const std::vector<WarpTrace>& traces);

}  // namespace forewarp::launch
