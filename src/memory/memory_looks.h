// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "execution/access/access_stream.h"
#include "execution/grid/sampling.h"
#include "hardware/gpu.h"
#include "memory/memory_options.h"
#include "memory/memory_profile.h"

namespace forewarp::memory {

/// Replays recorded accesses through the memory of a GPU. Executes nothing.
[[nodiscard]] MemoryProfile profile_memory(const AccessStreams& streams, const SamplePlan& plan,
                                           const Gpu& gpu, const MemoryOptions& options);

/// profile_memory() with these for MemoryOptions::most_replayed and MemoryOptions::warm.
using MemoryLook = std::function<MemoryProfile(std::uint64_t most_replayed, bool warm)>;

/// For several replays of the same recorded accesses: what does not depend on the caches is counted
/// once. `streams`, `plan` and `gpu` must outlive it.
[[nodiscard]] MemoryLook memory_looks(const AccessStreams& streams, const SamplePlan& plan,
                                      const Gpu& gpu, const MemoryOptions& options);

}  // namespace forewarp::memory
