// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "binding/bound_kernel.h"
#include "driver/path_finder.h"
#include "driver/preparation.h"
#include "driver/profile_store.h"
#include "memory/memory_profile.h"

namespace forewarp {

/// Means per warp of the launch.
[[nodiscard]] ExecutedCounts executed_counts(const PathProfile& paths, double warps);

/// Instructions of a mean block over those of the typical one; 1 where blocks are about alike.
[[nodiscard]] double working_share(const LaunchProfile& profile);

/// Whether the warps did what the static analysis foresaw, up to the edges of the grid: in all
/// instructions and, since few of them can take most of the time, in accesses to global memory
/// alone.
[[nodiscard]] bool counts_agree(const Kernel& kernel, const std::vector<double>& foreseen,
                                const ExecutedCounts& counts);

/// Where the blocks of a launch find themselves: what the caches need beside the addresses.
[[nodiscard]] MemoryOptions memory_options(const Gpu& gpu, const LaunchDraft& draft,
                                           const Case& request, const PredictOptions& options);

/// What each instruction's accesses ask of the memory, as means over its executions.
void apply_memory(const Kernel& kernel, const PathProfile& paths, const MemoryProfile& memory,
                  const Gpu& gpu, std::vector<AccessPattern>& patterns);

/// Binds the kernel to what was executed (prepared.profile): counts are the executed ones, traffic
/// is that of the caches; latencies follow the static paths where these agree, with their formulas,
/// else the warps of a typical block. `foreseen`: the static analysis, or null where it found no
/// paths. Notes what was assumed.
void bind_profile(const LoadedKernel& loaded, const Case& request, const PredictOptions& options,
                  FoundPaths* foreseen, Prepared& prepared);

}  // namespace forewarp
