// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "launch/profile_store.h"
#include "launch/stages.h"
#include "memory/memory_profile.h"

namespace forewarp::driver {

/// Everything that executing this launch and replaying it on its GPU follow from: the code, the
/// launch with its data, the budget, every fact of the GPU, and how the caches start. Empty where
/// the launch is not to be kept: --no-cache, or something else asks for the accesses themselves.
[[nodiscard]] std::string recall_key(const Drafted& drafted, const Case& request,
                                     const PredictOptions& options);

/// Keeps it for later processes; an empty key keeps nothing.
void remember(const std::string& key, const LaunchProfile& profile, const MemoryProfile& memory);

}  // namespace forewarp::driver
