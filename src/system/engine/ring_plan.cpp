// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/ring_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace forewarp::system {
namespace {

bool same(double a, double b) {
  constexpr double rounding = 1e-12;
  return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
}

}  // namespace

Islands islands_of(const System& system, const std::vector<std::size_t>& units,
                   const Islands::Ranks& ranks) {
  Islands found;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  for (const std::uint32_t rank : ranks) {
    const std::uint32_t island = system.components[units[rank]].island;
    const auto count = static_cast<std::uint32_t>(found.islands.size());
    const auto [number, is_new] = numbers.try_emplace(island, count);
    if (is_new) found.islands.emplace_back();
    Islands::Ranks& own = found.islands[number->second];
    found.places.emplace_back(number->second, static_cast<std::uint32_t>(own.size()));
    own.push_back(rank);
  }
  const std::size_t size = found.islands.front().size();
  for (const Islands::Ranks& island : found.islands) {
    if (island.size() == size) continue;
    const auto name = [&](std::uint32_t rank) { return system.components[units[rank]].name; };
    found.uneven = std::to_string(size) + " with " + name(found.islands.front().front()) + " and " +
                   std::to_string(island.size()) + " with " + name(island.front());
    return found;
  }
  found.positions.resize(size);
  for (const Islands::Ranks& island : found.islands) {
    for (std::size_t i = 0; i < size; ++i) found.positions[i].push_back(island[i]);
  }
  return found;
}

void RingPlan::add(const std::vector<Islands::Ranks>& rings, const std::vector<std::size_t>& units,
                   std::uint32_t rounds, double share) {
  RingPhase phase;
  const std::size_t count = rings.front().size();
  if (count < 2) return;
  phase.steps = rounds * static_cast<std::uint32_t>(count - 1);
  phase.share = share;
  for (const Islands::Ranks& ring : rings) {
    for (std::size_t i = 0; i < count; ++i) {
      phase.edges.emplace_back(units[ring[i]], units[ring[(i + 1) % count]]);
    }
  }
  phases_.push_back(std::move(phase));
}

void RingPlan::measure(Platform& platform) {
  for (RingPhase& phase : phases_) {
    measure(platform, phase);
    if (!obstacle_.empty()) return;
  }
  std::sort(links_.begin(), links_.end());
  links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
}

void RingPlan::measure(Platform& platform, RingPhase& phase) {
  std::vector<const Platform::Route*> ways;
  std::unordered_map<std::size_t, double> passing;
  for (const auto& [from, to] : phase.edges) {
    ways.push_back(&platform.route(from, to));
    for (const std::size_t link : ways.back()->links) {
      ++passing[link];
      links_.push_back(link);
    }
  }
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const auto& [from, to] = phase.edges[i];
    const auto named = [&](std::size_t unit) { return platform.system().components[unit].name; };
    const Platform::Route& route = *ways[i];
    if (route.links.empty()) {
      obstacle_ = "no links lead from " + named(from) + " to " + named(to);
      return;
    }
    double rate = route.bytes_per_s;
    for (const std::size_t link : route.links) {
      rate = std::min(rate, platform.capacity(link) / passing[link]);
    }
    if (i == 0) {
      phase.latency_s = route.latency_s;
      phase.bytes_per_s = rate;
    } else if (!same(rate, phase.bytes_per_s) || !same(route.latency_s, phase.latency_s)) {
      obstacle_ = "a step takes another time from " + named(from) + " to " + named(to) +
                  " than from " + named(phase.edges[0].first) + " to " +
                  named(phase.edges[0].second);
      return;
    }
  }
}

double RingPlan::seconds(double bytes) const {
  double seconds = 0;
  for (const RingPhase& phase : phases_) {
    seconds += phase.steps * (phase.latency_s + bytes * phase.share / phase.bytes_per_s);
  }
  return seconds;
}

bool RingPlan::is_disturbed(const Flows& flows) const {
  return std::any_of(links_.begin(), links_.end(),
                     [&](std::size_t link) { return flows.is_used(link); });
}

}  // namespace forewarp::system
