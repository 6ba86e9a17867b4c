// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/block_work.h"

#include <cstddef>

namespace forewarp::timing {
namespace {

/// Warps of each path in one more block, chosen so that all blocks so far match the paths' shares
/// as closely as possible; `given` counts the warps of the blocks before, and is updated.
std::vector<std::uint32_t> divide(std::span<const WarpPath> paths, std::uint32_t warps,
                                  double blocks, std::vector<double>& given) {
  std::vector<std::uint32_t> counts(paths.size(), 0);
  for (std::uint32_t w = 0; w < warps; ++w) {
    std::size_t most = 0;
    for (std::size_t p = 1; p < paths.size(); ++p) {
      const auto lacks = [&](std::size_t i) { return paths[i].share * warps * blocks - given[i]; };
      if (lacks(p) > lacks(most)) most = p;
    }
    given[most] += 1;
    ++counts[most];
  }
  return counts;
}

}  // namespace

BlockWork::BlockWork(std::span<const WarpPath> paths, std::uint32_t warps, double share,
                     double least) {
  constexpr std::size_t most_plans = 16;  // enough blocks to match the shares closely
  streams.reserve(paths.size());
  for (const WarpPath& path : paths) streams.emplace_back(path, share, least);
  std::vector<double> given(paths.size(), 0.0);
  while (plans.empty() || (plans.size() < most_plans && paths.size() > 1)) {
    const auto blocks = static_cast<double>(plans.size() + 1);
    const std::vector<std::uint32_t> counts = divide(paths, warps, blocks, given);
    BlockPlan& plan = plans.emplace_back();
    for (std::size_t p = 0; p < counts.size(); ++p) {
      plan.insert(plan.end(), counts[p], &streams[p]);
      instructions += counts[p] * streams[p].instructions;
    }
  }
  instructions /= static_cast<double>(plans.size());
}

}  // namespace forewarp::timing
