// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/cache/memory_cache.h"
#include "prediction/launch.h"
#include "result/result.h"

namespace forewarp::driver {

/// The profile of a launch on a GPU, which `forewarp profile` shows.
Expected<Result> profile_launch(const Launch& launch, const Query& query, MemoryCache& cache);

}  // namespace forewarp::driver
