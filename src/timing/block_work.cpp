// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/block_work.h"

#include <algorithm>

namespace forewarp {
namespace {

/// Warps of each path, by largest remainder; at least one of each while there are enough.
std::vector<std::uint32_t> divide(std::span<const WarpPath> paths, std::uint32_t warps) {
  std::vector<std::uint32_t> counts;
  std::uint32_t left = warps;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const auto after = static_cast<std::uint32_t>(paths.size() - 1 - p);
    const auto share = static_cast<std::uint32_t>(paths[p].share * warps + 0.5);
    const std::uint32_t room = left > after ? left - after : 0;
    counts.push_back(p + 1 == paths.size() ? left : std::clamp(share, std::min(1U, left), room));
    left -= counts.back();
  }
  return counts;
}

}  // namespace

BlockWork::BlockWork(std::span<const WarpPath> paths, std::uint32_t warps, double share,
                     double least) {
  const std::vector<std::uint32_t> counts = divide(paths, warps);
  streams.reserve(paths.size());
  for (const WarpPath& path : paths) streams.emplace_back(path, share, least);
  for (std::size_t p = 0; p < counts.size(); ++p) {
    plan.insert(plan.end(), counts[p], &streams[p]);
    instructions += counts[p] * streams[p].instructions;
  }
}

}  // namespace forewarp
