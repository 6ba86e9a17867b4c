// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/thread_grid.h"

#include <limits>

namespace forewarp::request {

Expected<Extent> grid_for_threads(std::uint64_t threads, const Extent& block) {
  const std::uint64_t per_block = volume(block);
  if (threads == 0) return Diagnostic{"--threads", "0 threads are no work", "1 or more", ""};
  if (per_block == 0) {
    return Diagnostic{"--threads", "the block is not given", "--block, or a sweep over block", ""};
  }
  const std::uint64_t blocks = threads / per_block + (threads % per_block == 0 ? 0 : 1);
  if (blocks > std::numeric_limits<std::uint32_t>::max()) {
    return Diagnostic{"--threads",
                      std::to_string(threads) + " threads make " + std::to_string(blocks) +
                          " blocks of " + std::to_string(per_block),
                      "at most 4294967295 blocks", "give --grid with a y or z extent"};
  }
  return Extent{static_cast<std::uint32_t>(blocks), 1, 1};
}

Expected<void> complete_grid(Case& request, const PredictOptions& options) {
  if (!options.threads) return {};
  const auto grid = grid_for_threads(*options.threads, request.launch.block);
  if (!grid) return grid.error();
  request.launch.grid = *grid;
  return {};
}

}  // namespace forewarp::request
