// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/collectives.h"

#include <vector>

namespace forewarp::system {

std::optional<ReduceWay> reduce_way_named(std::string_view name) {
  if (name == "ring") return ReduceWay::ring;
  if (name == "tree") return ReduceWay::tree;
  if (name == "hierarchical") return ReduceWay::hierarchical;
  if (name == "library") return ReduceWay::library;
  if (name == "auto") return ReduceWay::automatic;
  return std::nullopt;
}

std::optional<ReduceLevel> reduce_level_named(std::string_view name) {
  if (name == "auto") return ReduceLevel::automatic;
  if (name == "closed") return ReduceLevel::closed;
  if (name == "messages") return ReduceLevel::messages;
  return std::nullopt;
}

/// Who the process is in its group, and messages that no others are mistaken for.
struct Collectives::Round {
  World& world;
  const Call& call;
  std::int64_t tag;
  std::uint32_t own, count;

  Sending send(std::uint32_t to, double bytes) const {
    return world.send(call.process, call.ranks[to], bytes, tag, false);
  }
  void receive(std::uint32_t from) const {
    world.receive(call.process, {call.ranks[from], "", tag});
  }
  /// Number counted from the root.
  [[nodiscard]] std::uint32_t from_root(std::uint32_t root) const {
    return (own + count - root) % count;
  }
  [[nodiscard]] std::uint32_t at(std::uint32_t number, std::uint32_t root) const {
    return (number + root) % count;
  }
};

std::uint64_t& Collectives::begun(const Call& call) {
  std::vector<std::uint64_t>& numbers = call.process.collectives;
  if (numbers.size() <= call.group) numbers.resize(call.group + 1);
  return numbers[call.group];
}

/// The tag says the group, which of its collectives it is, and of what kind: processes that do not
/// agree wait for each other in vain, which is found.
Collectives::Round Collectives::begin(const Call& call, std::uint8_t what) {
  constexpr std::int64_t groups = 1 << 16, kinds = 8;
  const auto sequence = static_cast<std::int64_t>(begun(call)++);
  const std::int64_t tag = -1 - ((sequence * groups + call.group) * kinds + what);
  return {world_, call, tag, call.own, static_cast<std::uint32_t>(call.ranks.size())};
}

/// Dissemination: after ceil(log2 p) rounds everybody has heard of everybody.
void Collectives::barrier(const Call& call) {
  const Round round = begin(call, 0);
  for (std::uint32_t step = 1; step < round.count; step *= 2) {
    round.send((round.own + step) % round.count, 0);
    round.receive((round.own + round.count - step) % round.count);
  }
}

/// A binomial tree: in the step of 2^k those below 2^k give to the one 2^k further.
void Collectives::broadcast(const Call& call, double bytes, std::uint32_t root, ReduceWay way) {
  if (is_library(call, way)) return by_library(call, CollectiveKind::broadcast, bytes, root);
  const Round round = begin(call, 1);
  const std::uint32_t number = round.from_root(root);
  for (std::uint32_t step = 1; step < round.count; step *= 2) {
    if (number < step && number + step < round.count) {
      world_.wait_sent(call.process, round.send(round.at(number + step, root), bytes));
    } else if (number >= step && number < 2 * step) {
      round.receive(round.at(number - step, root));
    }
  }
}

void Collectives::reduce(const Call& call, double bytes, std::uint32_t root) {
  const Round round = begin(call, 2);
  const std::uint32_t number = round.from_root(root);
  std::uint32_t step = 1;
  while (2 * step < round.count) step *= 2;
  for (; step >= 1; step /= 2) {
    if (number < step && number + step < round.count) {
      round.receive(round.at(number + step, root));
    } else if (number >= step && number < 2 * step) {
      world_.wait_sent(call.process, round.send(round.at(number - step, root), bytes));
    }
  }
}

/// `rounds` times around but for the last step; `bytes` in each step. A step ends when what was
/// given is there, too: who comes late does not give all that waits for it at once.
void Collectives::ring(const Call& call, double bytes, std::uint32_t rounds) {
  const Round round = begin(call, 3);
  const std::uint32_t next = (round.own + 1) % round.count;
  const std::uint32_t before = (round.own + round.count - 1) % round.count;
  for (std::uint32_t step = 0; step < rounds * (round.count - 1); ++step) {
    const Sending sending = round.send(next, bytes);
    round.receive(before);
    world_.wait_sent(call.process, sending);
  }
}

void Collectives::scatter(const Call& call, double bytes, std::uint32_t root) {
  const Round round = begin(call, 4);
  if (round.own != root) {
    round.receive(root);
    return;
  }
  for (std::uint32_t to = 0; to < round.count; ++to) {
    if (to != root) world_.wait_sent(call.process, round.send(to, bytes));
  }
}

void Collectives::gather(const Call& call, double bytes, std::uint32_t root) {
  const Round round = begin(call, 5);
  if (round.own != root) {
    world_.wait_sent(call.process, round.send(root, bytes));
    return;
  }
  for (std::uint32_t from = 0; from < round.count; ++from) {
    if (from != root) round.receive(from);
  }
}

void Collectives::all_to_all(const Call& call, double bytes) {
  const Round round = begin(call, 6);
  for (std::uint32_t step = 1; step < round.count; ++step) {
    round.send((round.own + step) % round.count, bytes);
    round.receive((round.own + round.count - step) % round.count);
  }
}

}  // namespace forewarp::system
