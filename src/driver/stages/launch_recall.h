// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "launch/profile_store.h"
#include "launch/stages.h"
#include "memory/memory_profile.h"

namespace forewarp::driver {

/// A key of everything that executing this launch and replaying it on its GPU depend on: the code,
/// the launch with its data, the budget, every fact of the GPU, and how the caches start. Empty if
/// the launch is not to be kept: with --no-cache, or if the recorded accesses themselves are
/// needed.
[[nodiscard]] std::string recall_key(const Drafted& drafted, const Case& request,
                                     const PredictOptions& options);

/// Keeps the launch for later processes; does nothing with an empty key.
void remember(const std::string& key, const LaunchProfile& profile, const MemoryProfile& memory);

}  // namespace forewarp::driver
