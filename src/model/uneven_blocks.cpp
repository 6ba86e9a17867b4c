// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/uneven_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "base/mixed.h"

namespace forewarp::model {
namespace {

/// A block as blocks beside it see it.
struct Sharer {
  double alone_power = 0;  ///< of its own latency
  double by_itself = 0;    ///< time with an SM to itself
  double demand = 0;       ///< of that time, the SM works for it
};

/// How blocks on an SM slow each other down. Of k that are alike one takes
/// (alone^p + (k busy)^p)^(1/p); of others the sum of their demands stands for k busy.
class Sharing {
 public:
  explicit Sharing(SharingPower power) : power_(power) {}
  [[nodiscard]] Sharer of(const BlockCost& block) const {
    constexpr double least = 1e-9;
    Sharer sharer;
    sharer.alone_power = std::pow(block.alone.value(), power_);
    const double own = sharer.alone_power + std::pow(block.busy.value(), power_);
    sharer.by_itself = std::max(least, std::pow(own, 1 / power_));
    sharer.demand = block.busy.value() / sharer.by_itself;
    return sharer;
  }
  /// A block's share of its work per cycle beside demands of this sum, its own included.
  [[nodiscard]] double rate(const Sharer& sharer, double demands) const {
    const double time = sharer.alone_power + std::pow(demands * sharer.by_itself, power_);
    return 1 / std::max(1e-9, std::pow(time, 1 / power_));
  }

 private:
  SharingPower power_;
};

/// One SM: its blocks go on at rates that change when one of them ends or starts.
class SharedSm {
 public:
  void start(const Sharer& sharer) { running_.push_back({&sharer, 1, 0}); }
  [[nodiscard]] bool idle() const { return running_.empty(); }
  [[nodiscard]] std::size_t blocks() const { return running_.size(); }

  /// When the next block ends, if none starts before.
  double next_end(const Sharing& sharing) {
    double demands = 0;
    for (const Running& block : running_) demands += block.sharer->demand;
    double least = -1;
    for (Running& block : running_) {
      block.rate = sharing.rate(*block.sharer, demands);
      const double takes = block.left / block.rate;
      if (least < 0 || takes < least) least = takes;
    }
    step_ = least;
    return now_ + least;
  }
  /// Goes on until then.
  void end_next() {
    constexpr double nothing = 1e-9;
    for (Running& block : running_) block.left -= step_ * block.rate;
    std::erase_if(running_, [](const Running& block) { return block.left <= nothing; });
    now_ += step_;
  }

 private:
  struct Running {
    const Sharer* sharer = nullptr;
    double left = 1, rate = 0;
  };
  std::vector<Running> running_;
  double now_ = 0, step_ = 0;
};

/// The SMs in an order of their own for each round.
std::vector<std::uint32_t> order_of_round(std::uint32_t sms, std::uint64_t round) {
  std::vector<std::uint32_t> order(sms);
  std::iota(order.begin(), order.end(), 0U);
  std::uint64_t drawn = round;
  for (std::uint32_t i = sms; i > 1; --i) {
    drawn = mixed(drawn + i);
    std::swap(order[i - 1], order[drawn % i]);
  }
  return order;
}

}  // namespace

Cycles time_of_blocks(const std::vector<BlockCost>& blocks, BlockPlaces places,
                      SharingPower power) {
  const Sharing sharing(power);
  std::vector<Sharer> sharers;
  for (const BlockCost& block : blocks) sharers.push_back(sharing.of(block));
  std::vector<SharedSm> sms(places.sms);
  std::size_t next = 0;
  for (std::uint32_t round = 0; round < places.resident && next < blocks.size(); ++round) {
    for (const std::uint32_t s : order_of_round(places.sms, round)) {
      if (next < blocks.size()) sms[s].start(sharers[next++]);
    }
  }
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ends;
  const auto follow = [&](std::uint32_t s) {
    if (!sms[s].idle()) ends.emplace(sms[s].next_end(sharing), s);
  };
  for (std::uint32_t s = 0; s < places.sms; ++s) follow(s);
  double last = 0;
  while (!ends.empty()) {
    const auto [at, s] = ends.top();
    ends.pop();
    last = at;
    sms[s].end_next();
    while (sms[s].blocks() < places.resident && next < blocks.size()) sms[s].start(sharers[next++]);
    follow(s);
  }
  return Cycles(last);
}

Cycles time_of_equal_blocks(double count, BlockCost block, BlockPlaces places, SharingPower power) {
  constexpr double nearly = 0.99;  // counts of blocks like the typical one are estimates
  const double each = std::max(1.0, std::ceil(nearly * count / places.sms));
  const double rounds = std::floor(each / places.resident);
  const double rest = each - rounds * places.resident;
  const Sharing sharing(power);
  const Sharer sharer = sharing.of(block);
  double time = rounds / sharing.rate(sharer, places.resident * sharer.demand);
  if (rest > 0) time += 1 / sharing.rate(sharer, rest * sharer.demand);
  return Cycles(time);
}

SharingPower power_of(Cycles time, double count, BlockCost block, BlockPlaces places) {
  constexpr int halvings = 30;
  SharingPower low = least_power, high = most_power;
  for (int i = 0; i < halvings; ++i) {
    const SharingPower middle = (low + high) / 2;
    (time_of_equal_blocks(count, block, places, middle) > time ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace forewarp::model
