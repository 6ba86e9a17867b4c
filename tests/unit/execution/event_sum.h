// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "base/mixed.h"
#include "execution/grid/grid_runner.h"

namespace forewarp::tests {

/// All events of a run in one number: what each warp executed, for which lanes, where it branched
/// and what it accessed, in its order. Equal whatever the order of warps and blocks.
struct EventSum : NoSink {
  std::uint64_t sum = 0;
  std::uint64_t events = 0;

  [[nodiscard]] EventSum empty() const { return {}; }
  void merge(const EventSum& other) {
    sum += other.sum;
    events += other.events;
  }
  void executed(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask lanes) {
    add(warp, std::uint64_t{i} << 2, std::uint64_t{active} << 32 | lanes);
  }
  void branched(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask taken) {
    add(warp, std::uint64_t{i} << 2 | 1, std::uint64_t{active} << 32 | taken);
  }
  void accessed(const Warp& warp, const MemoryAccess& access) {
    std::uint64_t places = std::uint64_t{access.lanes} << 16 | std::uint64_t{access.bytes} << 8 |
                           static_cast<std::uint64_t>(access.kind) << 4 |
                           static_cast<std::uint64_t>(access.space);
    for (unsigned lane = 0; lane < lane_count; ++lane) {
      if (has_lane(access.lanes, lane)) places = base::mixed(places ^ access.address[lane]) + lane;
    }
    add(warp, std::uint64_t{access.instruction} << 2 | 2, places);
  }

 private:
  void add(const Warp& warp, std::uint64_t what, std::uint64_t value) {
    const std::pair from{warp.block->linear, warp.number};
    const std::uint64_t turn = ++turns_[from];
    const std::uint64_t place = base::mixed(from.first << 32 ^ from.second << 24 ^ what);
    sum += base::mixed(base::mixed(place ^ value) ^ turn);
    ++events;
  }

  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> turns_;
};

}  // namespace forewarp::tests
