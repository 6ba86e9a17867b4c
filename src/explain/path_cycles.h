// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "binding/latency_path.h"
#include "binding/path.h"
#include "program/kernel.h"

namespace forewarp::explain {

/// Cycles of the latency-bound path by instruction: from its issue to that of the next on the path.
/// Of a loop only the first passes are scheduled, until one is like the one before; the passes that
/// were skipped go to the instructions that carry such a pass (its recurrence), not to the one that
/// leaves the loop.
[[nodiscard]] std::map<std::uint32_t, double> path_cycles(const Kernel& kernel,
                                                          const LatencyPath& path,
                                                          const std::vector<PathLoop>& loops);

}  // namespace forewarp::explain
