// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "execution/grid/path_profile.h"
#include "memory/memory_profile.h"
#include "program/kernel.h"

namespace forewarp::launch {

/// By instruction: how often it runs as the analysis foresees over how often it ran before the
/// budget was spent; 0 where it had not run yet. `foreseen`: per warp of the grid's `warps`.
[[nodiscard]] std::vector<double> cut_factors(const PathProfile& paths,
                                              const std::vector<double>& foreseen, double warps);

/// Counts of the whole launch: what ran times its factor, in the lanes that it ran in; what had not
/// run yet as often as is foreseen, in all lanes. Histograms of loops and paths are dropped.
[[nodiscard]] PathProfile completed_paths(PathProfile paths, const std::vector<double>& factors,
                                          const std::vector<double>& foreseen, double warps);

/// Traffic of the whole launch: every instruction's times its factor. Totals grow as the sectors
/// that they are made of do.
[[nodiscard]] MemoryProfile completed_memory(MemoryProfile memory,
                                             const std::vector<double>& factors,
                                             const Kernel& kernel);

/// Share of the foreseen warp instructions of a block that was executed.
[[nodiscard]] double executed_share(const PathProfile& paths, const std::vector<double>& foreseen,
                                    double warps_per_block);

}  // namespace forewarp::launch
