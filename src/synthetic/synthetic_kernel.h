// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "binding/access_pattern.h"
#include "binding/path.h"
#include "hardware/gpu.h"
#include "program/kernel.h"
#include "synthetic/workload.h"

namespace forewarp::synthetic {

/// A kernel that no compiler has seen: one group of a workload as instructions, and a path that
/// goes round it. No prologue, no loop counter, no exit: what Volkov's analysis takes as endless.
struct SyntheticKernel {
  Kernel kernel;
  WarpPath path;                        ///< one loop around the group
  std::vector<AccessPattern> patterns;  ///< parallel to the kernel's instructions
  double additions = 0, others = 0;     ///< of one warp per group, all chains
};

/// `groups`: how often a warp passes the group. The GPU gives lanes, banks, sectors and lines.
[[nodiscard]] SyntheticKernel synthetic_kernel(const Workload& workload, const Gpu& gpu,
                                               double groups);

}  // namespace forewarp::synthetic
