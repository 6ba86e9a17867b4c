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

/// A block's share of its work per cycle beside so many others.
double rate(const BlockCost& block, double beside, SharingPower power) {
  const double time =
      std::pow(block.alone.value(), power) + std::pow(beside * block.busy.value(), power);
  return 1 / std::pow(std::max(time, 1e-9), 1 / power);
}

/// One SM: its blocks go on at rates that change when one of them ends or starts.
class SharedSm {
 public:
  void start(const BlockCost& block) { running_.push_back({&block, 1, 0}); }
  [[nodiscard]] bool idle() const { return running_.empty(); }
  [[nodiscard]] std::size_t blocks() const { return running_.size(); }

  /// When the next block ends, if none starts before.
  double next_end(SharingPower power) {
    double least = -1;
    for (Running& block : running_) {
      block.rate = rate(*block.cost, static_cast<double>(running_.size()), power);
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
    const BlockCost* cost = nullptr;
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
  std::vector<SharedSm> sms(places.sms);
  std::size_t next = 0;
  for (std::uint32_t round = 0; round < places.resident && next < blocks.size(); ++round) {
    for (const std::uint32_t s : order_of_round(places.sms, round)) {
      if (next < blocks.size()) sms[s].start(blocks[next++]);
    }
  }
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ends;
  const auto follow = [&](std::uint32_t s) {
    if (!sms[s].idle()) ends.emplace(sms[s].next_end(power), s);
  };
  for (std::uint32_t s = 0; s < places.sms; ++s) follow(s);
  double last = 0;
  while (!ends.empty()) {
    const auto [at, s] = ends.top();
    ends.pop();
    last = at;
    sms[s].end_next();
    while (sms[s].blocks() < places.resident && next < blocks.size()) sms[s].start(blocks[next++]);
    follow(s);
  }
  return Cycles(last);
}

Cycles time_of_equal_blocks(double count, BlockCost block, BlockPlaces places, SharingPower power) {
  constexpr double nearly = 0.99;  // counts of blocks like the typical one are estimates
  const double each = std::max(1.0, std::ceil(nearly * count / places.sms));
  const double rounds = std::floor(each / places.resident);
  const double rest = each - rounds * places.resident;
  double time = rounds / rate(block, places.resident, power);
  if (rest > 0) time += 1 / rate(block, rest, power);
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
