// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "binding/latency_path.h"
#include "binding/path.h"
#include "program/kernel.h"

namespace forewarp::binding {

/// Cycles of the critical path by instruction: from its issue to that of the next on the path. Only
/// the first passes of a loop are scheduled, until one equals the one before; the cycles of the
/// skipped passes go to the instructions that carry such a pass (its recurrence), not to the one
/// that leaves the loop.
[[nodiscard]] std::map<std::uint32_t, double> path_cycles(const Kernel& kernel,
                                                          const LatencyPath& path,
                                                          const std::vector<PathLoop>& loops);

}  // namespace forewarp::binding
