// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/launch_draft.h"
#include "memory/memory_profile.h"
#include "request/predict_options.h"

namespace forewarp::launch {

/// How the blocks of a launch share the GPU: what the caches need to know besides the addresses.
[[nodiscard]] MemoryOptions memory_options(const Gpu& gpu, const LaunchDraft& draft,
                                           const Case& request, const PredictOptions& options);

}  // namespace forewarp::launch
