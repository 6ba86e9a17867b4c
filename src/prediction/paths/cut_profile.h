// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "execution/grid/path_profile.h"
#include "memory/memory_profile.h"
#include "program/kernel.h"

namespace forewarp::prediction {

/// By instruction: executions that the analysis foresees over those before the budget was spent; 0
/// if it had not executed yet. `foreseen`: executions per warp, of the grid's `warps`.
[[nodiscard]] std::vector<double> cut_factors(const PathProfile& paths,
                                              const std::vector<double>& foreseen, double warps);

/// Counts of the whole launch: executed instructions times their factor, in the lanes seen; those
/// not executed yet as often as foreseen, in all lanes. Histograms of loops and paths are dropped.
[[nodiscard]] PathProfile completed_paths(PathProfile paths, const std::vector<double>& factors,
                                          const std::vector<double>& foreseen, double warps);

/// Traffic of the whole launch: every instruction's times its factor. Totals grow by the same ratio
/// as their sectors.
[[nodiscard]] MemoryProfile completed_memory(MemoryProfile memory,
                                             const std::vector<double>& factors,
                                             const Kernel& kernel);

/// The share of the executed blocks' foreseen warp instructions that was executed.
[[nodiscard]] double executed_share(const PathProfile& paths, const std::vector<double>& foreseen,
                                    double warps_per_block);

}  // namespace forewarp::prediction
