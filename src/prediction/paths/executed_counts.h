// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "binding/bound_kernel.h"
#include "execution/grid/path_profile.h"
#include "memory/memory_profile.h"

namespace forewarp::prediction {

/// Counts of an execution as means per warp of the launch.
[[nodiscard]] ExecutedCounts executed_counts(const PathProfile& paths, double warps);

/// Whether the execution agrees with what the static analysis foresaw, except at the grid's edges:
/// in all instructions and also, since few of them can take most of the time, in accesses to global
/// memory alone.
[[nodiscard]] bool counts_agree(const Kernel& kernel, const std::vector<double>& foreseen,
                                const ExecutedCounts& counts);

/// Fills `patterns` with each instruction's traffic and hits, as means over its executions.
void apply_memory(const Kernel& kernel, const PathProfile& paths, const MemoryProfile& memory,
                  const Gpu& gpu, AccessPatterns& patterns);

}  // namespace forewarp::prediction
