// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/begun_blocks.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace forewarp::memory {

std::size_t beginning(const AccessStreams& streams) {
  std::vector<std::size_t> longest;
  for (const std::uint64_t block : streams.window_blocks) {
    const BlockStream* stream = streams.find(block);
    if (stream == nullptr) continue;
    std::size_t most = 0;
    for (const WarpStream& warp : streams.warps_of(*stream))
      most = std::max(most, streams.paths[warp.path].size());
    if (most > 0) longest.push_back(most);
  }
  if (longest.empty()) return std::numeric_limits<std::size_t>::max();
  const auto middle = longest.begin() + static_cast<std::ptrdiff_t>(longest.size() / 2);
  std::nth_element(longest.begin(), middle, longest.end());
  return *middle;
}

double begun_share(const AccessStreams& streams, std::size_t most_of_warp, double whole) {
  double made = 0, blocks = 0;
  for (const std::uint64_t block : streams.window_blocks) {
    const BlockStream* stream = streams.find(block);
    if (stream == nullptr) continue;
    ++blocks;
    for (const WarpStream& warp : streams.warps_of(*stream))
      made += static_cast<double>(std::min(most_of_warp, streams.paths[warp.path].size()));
  }
  constexpr double about_all = 0.9;  // tolerance, as blocks differ
  if (made <= 0 || whole <= 0) return 1;
  const double share = made / (blocks * whole);
  return share > about_all ? 1 : share;
}

WeightedCounts written_once(const AccessStreams& streams, std::uint32_t instruction, double lanes,
                            double sectors, const Gpu& gpu) {
  double bytes = 0;
  for (const AccessShape& shape : streams.shapes) {
    if (shape.instruction == instruction) bytes = std::max(bytes, static_cast<double>(shape.bytes));
  }
  const double whole = lanes * bytes / gpu.sector_bytes;
  const double dirtied = sectors > 0 ? std::min(1.0, whole / sectors) : 0;
  return {.sectors = 1, .l2 = 1, .dirtied = dirtied, .lines = 1};
}

}  // namespace forewarp::memory
