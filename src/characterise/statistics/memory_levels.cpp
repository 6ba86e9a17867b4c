// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/memory_levels.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

bool stays(const LoadConfig& config, const SplitRule& rule) {
  return config.latency.mean() < rule.mean_below && config.misses < rule.misses_below;
}

/// The largest number of threads before the first of which no configuration stays in L2.
double end_of_range(std::span<const LoadConfig> configs, const SplitRule& rule) {
  std::map<double, bool> one_stays;
  for (const LoadConfig& config : configs) one_stays[config.threads()] |= stays(config, rule);
  double end = 0;
  for (const auto& [threads, stay] : one_stays) {
    if (!stay) break;
    end = threads;
  }
  return end;
}

std::optional<PmfPart> optional_part(const Pmf& pmf, std::int64_t from, std::int64_t to) {
  auto part = part_of(pmf, from, to, "");
  if (!part) return {};
  return *std::move(part);
}

}  // namespace

Expected<LevelBoundary> level_boundary(std::span<const LoadConfig> configs, const SplitRule& rule) {
  LevelBoundary boundary;
  boundary.threads_to = rule.threads_to.value_or(end_of_range(configs, rule));
  boundary.threads_from = boundary.threads_to;
  const LoadConfig* chosen = nullptr;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const LoadConfig& config = configs[i];
    boundary.threads_from = std::min(boundary.threads_from, config.threads());
    if (config.threads() > boundary.threads_to || !stays(config, rule)) continue;
    const bool better = chosen == nullptr || std::pair(config.threads(), config.blocks) >
                                                 std::pair(chosen->threads(), chosen->blocks);
    if (!better) continue;
    chosen = &config;
    boundary.chosen = i;
  }
  if (chosen == nullptr) {
    return Diagnostic{"boundary of L2 and device memory",
                      "none of " + std::to_string(configs.size()) +
                          " configurations has a mean below " + significant(rule.mean_below) +
                          " cycles and fewer than " + significant(rule.misses_below) + " misses",
                      "one that stays in L2", "sweep fewer threads, or raise the limits"};
  }
  boundary.value = chosen->latency.max();
  return boundary;
}

SplitLatency split_at(const Pmf& latency, std::int64_t boundary) {
  return {optional_part(latency, lowest, boundary), optional_part(latency, boundary + 1, highest)};
}

Expected<L1Window> l1_window(const Pmf& latency, std::int64_t fastest_l2) {
  const auto faster = part_of(latency, lowest, fastest_l2 - 1, "L1's window");
  if (!faster) return faster.error();
  L1Window window;
  window.mode = faster->pmf.mode();
  window.to = fastest_l2 - 1;
  window.from = 2 * window.mode - window.to;
  auto part = part_of(latency, window.from, window.to, "L1's window");
  if (!part) return std::move(part).error();
  window.part = *std::move(part);
  return window;
}

Expected<std::int64_t> fastest_miss(std::span<const HitConfig> configs, double hits_below) {
  std::optional<std::int64_t> fastest;
  for (const HitConfig& config : configs) {
    if (!(config.l1_hits < hits_below)) continue;
    fastest = std::min(fastest.value_or(config.latency.min()), config.latency.min());
  }
  if (fastest) return *fastest;
  return Diagnostic{"limit of L1",
                    "every configuration hits L1 " + significant(hits_below) + " times or more",
                    "one whose loads miss it", "measure loads that pass L1 instead"};
}

LevelShares level_shares(const Pmf& latency, const std::optional<L1Window>& l1,
                         std::int64_t boundary) {
  LevelShares shares;
  shares.l1 = l1 ? latency.up_to(l1->to) : 0;
  shares.memory = 1 - latency.up_to(boundary);
  shares.l2 = 1 - shares.l1 - shares.memory;
  return shares;
}

}  // namespace forewarp::characterise
