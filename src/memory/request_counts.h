// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/access/access_stream.h"
#include "memory/memory_profile.h"
#include "memory/traffic.h"

namespace forewarp::memory {

/// What a grid requests, whatever the caches keep: counts of each instruction, and their sums.
/// `grid`: as `sum` has added it up.
void count_requests(const AccessStreams& streams, const TrafficSum& sum, const BlockTraffic& grid,
                    MemoryProfile& profile);

/// Requests to the memory spaces whose accesses are kept in order.
[[nodiscard]] double ordered_requests(const MemoryProfile& profile);

/// Lines a request, on average over all that touch any.
[[nodiscard]] double lines_of_requests(const MemoryProfile& profile);

}  // namespace forewarp::memory
