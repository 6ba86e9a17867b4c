// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/expected.h"
#include "request/case.h"
#include "request/predict_options.h"

namespace forewarp::request {

/// The grid that covers `threads` threads in x: ceil(threads / threads per block). Refused: 0
/// threads, and more blocks than a grid can count.
Expected<Extent> grid_for_threads(std::uint64_t threads, const Extent& block);

/// With --threads the grid follows the block, also one that is swept; without, nothing changes.
Expected<void> complete_grid(Case& request, const PredictOptions& options);

}  // namespace forewarp::request
