// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memory/memory_options.h"
#include "prediction/launch.h"
#include "request/predict_options.h"

namespace forewarp::prediction {

/// How the blocks of a launch share the GPU: what the caches need to know besides the addresses.
[[nodiscard]] MemoryOptions memory_options(const Launch& launch, const Query& query);

}  // namespace forewarp::prediction
