// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_loads.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/mixed.h"

namespace forewarp::execution {
namespace {

/// Gathers what the blocks of a grid come to, in their order. With `each` above 1 one of so many
/// neighbours is drawn and stands for them: an even step could follow a pattern of theirs.
class Gathering {
 public:
  explicit Gathering(std::uint64_t each) : each_(each) {}

  /// The next blocks.
  void add(const BlockLoad& load) {
    if (each_ == 1) return append(load);
    for (std::uint64_t left = load.blocks; left > 0;) {
      const std::uint64_t now = std::min(left, each_ - seen_);
      if (drawn_ >= seen_ && drawn_ < seen_ + now) drawn_load_ = load;
      seen_ += now;
      left -= now;
      if (seen_ == each_) end();
    }
  }
  [[nodiscard]] std::size_t size() const { return loads_.size(); }
  /// Empty: all are alike.
  [[nodiscard]] std::vector<BlockLoad> take() {
    if (drawn_ < seen_) end();
    if (seen_ > 0 && !loads_.empty()) loads_.back().blocks += seen_;
    if (loads_.size() < 2) loads_.clear();
    return std::move(loads_);
  }

 private:
  void append(const BlockLoad& load) {
    const bool same =
        !loads_.empty() && loads_.back().all == load.all && loads_.back().longest == load.longest;
    if (same) {
      loads_.back().blocks += load.blocks;
    } else if (loads_.size() <= most_loads) {  // more are of no use
      loads_.push_back(load);
    }
  }

  void end() {
    drawn_load_.blocks = seen_;
    append(drawn_load_);
    seen_ = 0;
    drawn_ = mixed(++ended_) % each_;
  }

  std::uint64_t each_, seen_ = 0, drawn_ = 0, ended_ = 0;  ///< of the neighbours at hand
  BlockLoad drawn_load_;
  std::vector<BlockLoad> loads_;
};

/// Of `blocks` blocks that `add_to` adds to a Gathering: all, or where they are too many that
/// differ from the one before, every second, third .. of them.
template <class AddTo>
std::vector<BlockLoad> gathered(std::uint64_t blocks, AddTo add_to) {
  Gathering all(1);
  add_to(all);
  if (all.size() <= most_loads) return all.take();
  Gathering drawn((blocks + most_loads - 1) / most_loads);
  add_to(drawn);
  return drawn.take();
}

}  // namespace

std::vector<BlockLoad> loads_of_all(const std::map<std::uint64_t, BlockTotal>& totals) {
  return gathered(totals.size(), [&](Gathering& gathering) {
    for (const auto& [block, total] : totals)
      gathering.add({1, static_cast<double>(total.all), static_cast<double>(total.longest)});
  });
}

std::vector<BlockLoad> loads_of_places(std::span<const BlockPlace> places) {
  std::uint64_t blocks = 0;
  for (const BlockPlace& place : places) {
    if (!(place.work > 0) || std::isinf(place.work)) return {};
    blocks += place.size;
  }
  return gathered(blocks, [&](Gathering& gathering) {
    for (const BlockPlace& place : places) gathering.add({place.size, place.work, place.longest});
  });
}

}  // namespace forewarp::execution
