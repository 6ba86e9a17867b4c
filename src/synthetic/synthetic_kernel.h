// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "binding/access_patterns.h"
#include "binding/path.h"
#include "hardware/gpu.h"
#include "program/kernel.h"
#include "synthetic/workload.h"

namespace forewarp::synthetic {

/// A kernel made without a compiler: one group of a workload as instructions, and a path that
/// repeats it. No prologue, loop counter or exit, as Volkov's analysis assumes an endless kernel.
struct SyntheticKernel {
  Kernel kernel;
  WarpPath path;                     ///< one loop around the group
  AccessPatterns patterns;           ///< parallel to the kernel's instructions
  double additions = 0, others = 0;  ///< per warp and group, over all chains
};

/// `groups`: how often a warp executes the group. The GPU gives lanes, banks, sectors and lines.
[[nodiscard]] SyntheticKernel synthetic_kernel(const Workload& workload, const Gpu& gpu,
                                               double groups);

}  // namespace forewarp::synthetic
