// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "binding/bound_kernel.h"
#include "launch/loaded_kernel.h"
#include "launch/path_finder.h"
#include "launch/prepared.h"
#include "launch/profile_store.h"
#include "memory/memory_profile.h"

namespace forewarp::driver {

/// Instructions of a mean block over those of the typical one; 1 where blocks are about alike.
[[nodiscard]] double working_share(const LaunchProfile& profile);

/// Binds the kernel to what was executed (prepared.profile): counts are the executed ones, traffic
/// is that of the caches; latencies follow the static paths where these agree, with their formulas,
/// else the warps of a typical block. `foreseen`: the static analysis, or null where it found no
/// paths. Notes what was assumed.
void bind_profile(const LoadedKernel& loaded, const Case& request, const PredictOptions& options,
                  FoundPaths* foreseen, Prepared& prepared);

}  // namespace forewarp::driver
