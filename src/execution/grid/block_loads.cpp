// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_loads.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/mixed.h"

namespace forewarp::execution {
namespace {

/// Gathers what the blocks of a grid come to, in their order. Of a grid with too many, one of each
/// so many neighbours is drawn and stands for them: an even step could follow a pattern of theirs.
class Gathering {
 public:
  explicit Gathering(std::uint64_t blocks)
      : each_(std::max<std::uint64_t>(1, (blocks + most_loads - 1) / most_loads)) {}

  /// The next blocks.
  void add(const BlockLoad& load) {
    for (std::uint64_t left = load.blocks; left > 0;) {
      const std::uint64_t now = std::min(left, each_ - seen_);
      if (drawn_ >= seen_ && drawn_ < seen_ + now) drawn_load_ = load;
      seen_ += now;
      left -= now;
      if (seen_ == each_) end();
    }
  }
  /// Empty: all are alike.
  [[nodiscard]] std::vector<BlockLoad> take() {
    if (drawn_ < seen_) end();
    if (seen_ > 0 && !loads_.empty()) loads_.back().blocks += seen_;
    if (loads_.size() < 2) loads_.clear();
    return std::move(loads_);
  }

 private:
  void end() {
    drawn_load_.blocks = seen_;
    const bool same = !loads_.empty() && loads_.back().all == drawn_load_.all &&
                      loads_.back().longest == drawn_load_.longest;
    if (same) {
      loads_.back().blocks += seen_;
    } else {
      loads_.push_back(drawn_load_);
    }
    seen_ = 0;
    drawn_ = mixed(++ended_) % each_;
  }

  std::uint64_t each_, seen_ = 0, drawn_ = 0, ended_ = 0;  ///< of the neighbours at hand
  BlockLoad drawn_load_;
  std::vector<BlockLoad> loads_;
};

}  // namespace

std::vector<BlockLoad> loads_of_all(const std::map<std::uint64_t, BlockTotal>& totals) {
  Gathering gathering(totals.size());
  for (const auto& [block, total] : totals)
    gathering.add({1, static_cast<double>(total.all), static_cast<double>(total.longest)});
  return gathering.take();
}

std::vector<BlockLoad> loads_of_places(std::span<const BlockPlace> places) {
  std::uint64_t blocks = 0;
  for (const BlockPlace& place : places) blocks += place.size;
  Gathering gathering(blocks);
  for (const BlockPlace& place : places) {
    if (!(place.work > 0) || std::isinf(place.work)) return {};
    gathering.add({place.size, place.work, place.longest});
  }
  return gathering.take();
}

}  // namespace forewarp::execution
