// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "system/engine/world.h"

namespace forewarp::system {

/// How an all-reduce moves its data.
///
/// ring: 2 (p - 1) steps, each process gives n / p bytes to the next: 2 (p - 1) (a + n / (p b))
/// where nothing else is on the links (a: latency, b: bytes per second).
///
/// tree: a reduction along a binomial tree and a broadcast back: 2 ceil(log2 p) (a + n / b).
enum class ReduceWay : std::uint8_t { ring, tree };

[[nodiscard]] std::optional<ReduceWay> reduce_way_named(std::string_view name);

/// Operations of a group of processes, made of messages. Every process of the group has to call
/// them in the same order. `bytes` are those of one process's data; roots are numbers in the group.
class Collectives {
 public:
  explicit Collectives(World& world) : world_(world) {}

  struct Call {
    Process& process;
    std::span<const std::uint32_t> ranks;  ///< of the group, in order
    std::uint32_t own = 0;                 ///< where among them the process is
    std::uint32_t group = 0;               ///< number of the group
  };

  void barrier(const Call& call);
  void broadcast(const Call& call, double bytes, std::uint32_t root);
  void reduce(const Call& call, double bytes, std::uint32_t root);
  void all_reduce(const Call& call, double bytes, ReduceWay way);
  /// The root gives or takes `bytes` from each, one after the other.
  void scatter(const Call& call, double bytes, std::uint32_t root);
  void gather(const Call& call, double bytes, std::uint32_t root);
  /// Everybody gives `bytes` to everybody else, in p - 1 rounds.
  void all_to_all(const Call& call, double bytes);

 private:
  /// One collective in progress, seen from one process.
  struct Round;
  Round begin(const Call& call, std::uint8_t what);

  World& world_;
};

}  // namespace forewarp::system
