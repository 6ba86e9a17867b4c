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

/// Rates of blocks that share an SM, with the powers of what they need.
class Sharing {
 public:
  Sharing(std::uint32_t most_beside, SharingPower power) : power_(power) {
    for (std::uint32_t beside = 0; beside <= most_beside; ++beside)
      beside_.push_back(std::pow(beside, power));
  }
  [[nodiscard]] BlockCost powers_of(const BlockCost& block) const {
    return {Cycles(std::pow(block.busy.value(), power_)),
            Cycles(std::pow(block.alone.value(), power_))};
  }
  /// A block's share of its work per cycle beside so many, itself included.
  [[nodiscard]] double rate(const BlockCost& powers, std::size_t beside) const {
    const double time = powers.alone.value() + beside_[beside] * powers.busy.value();
    return 1 / std::pow(std::max(time, 1e-9), 1 / power_);
  }

 private:
  SharingPower power_;
  std::vector<double> beside_;
};

/// One SM: its blocks go on at rates that change when one of them ends or starts.
class SharedSm {
 public:
  void start(const BlockCost& powers) { running_.push_back({&powers, 1, 0}); }
  [[nodiscard]] bool idle() const { return running_.empty(); }
  [[nodiscard]] std::size_t blocks() const { return running_.size(); }

  /// When the next block ends, if none starts before.
  double next_end(const Sharing& sharing) {
    double least = -1;
    for (Running& block : running_) {
      block.rate = sharing.rate(*block.powers, running_.size());
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
    const BlockCost* powers = nullptr;
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
  const Sharing sharing(places.resident, power);
  std::vector<BlockCost> powers;
  for (const BlockCost& block : blocks) powers.push_back(sharing.powers_of(block));
  std::vector<SharedSm> sms(places.sms);
  std::size_t next = 0;
  for (std::uint32_t round = 0; round < places.resident && next < blocks.size(); ++round) {
    for (const std::uint32_t s : order_of_round(places.sms, round)) {
      if (next < blocks.size()) sms[s].start(powers[next++]);
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
    while (sms[s].blocks() < places.resident && next < blocks.size()) sms[s].start(powers[next++]);
    follow(s);
  }
  return Cycles(last);
}

Cycles time_of_equal_blocks(double count, BlockCost block, BlockPlaces places, SharingPower power) {
  constexpr double nearly = 0.99;  // counts of blocks like the typical one are estimates
  const double each = std::max(1.0, std::ceil(nearly * count / places.sms));
  const double rounds = std::floor(each / places.resident);
  const double rest = each - rounds * places.resident;
  const Sharing sharing(places.resident, power);
  const BlockCost powers = sharing.powers_of(block);
  double time = rounds / sharing.rate(powers, places.resident);
  if (rest > 0) time += 1 / sharing.rate(powers, static_cast<std::size_t>(rest));
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
