// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_loads.h"

#include <algorithm>
#include <cmath>

namespace forewarp::execution {
namespace {

/// Gathers blocks from the last one backwards.
class LastLoads {
 public:
  /// Whether there is room for more.
  bool add(std::uint64_t blocks, double all, double longest) {
    const std::uint64_t taken = std::min(blocks, most_loads - told_);
    told_ += taken;
    if (!loads_.empty() && loads_.back().all == all && loads_.back().longest == longest) {
      loads_.back().blocks += taken;
    } else {
      loads_.push_back({taken, all, longest});
    }
    return told_ < most_loads;
  }
  [[nodiscard]] std::vector<BlockLoad> take() {
    if (loads_.size() < 2) return {};
    std::reverse(loads_.begin(), loads_.end());
    return std::move(loads_);
  }

 private:
  std::vector<BlockLoad> loads_;
  std::uint64_t told_ = 0;
};

}  // namespace

std::vector<BlockLoad> loads_of_all(const std::map<std::uint64_t, BlockTotal>& totals) {
  LastLoads loads;
  for (auto at = totals.rbegin(); at != totals.rend(); ++at) {
    const BlockTotal& total = at->second;
    if (!loads.add(1, static_cast<double>(total.all), static_cast<double>(total.longest))) break;
  }
  return loads.take();
}

std::vector<BlockLoad> loads_of_places(std::span<const BlockPlace> places, double longest_share) {
  LastLoads loads;
  for (auto at = places.rbegin(); at != places.rend(); ++at) {
    if (!(at->work > 0) || std::isinf(at->work)) return {};
    if (!loads.add(at->size, at->work, at->work * longest_share)) break;
  }
  return loads.take();
}

}  // namespace forewarp::execution
