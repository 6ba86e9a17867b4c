// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_loads.h"

#include <cmath>
#include <utility>

namespace forewarp::execution {
namespace {

/// Adds blocks behind those that are there.
void append(std::vector<BlockLoad>& loads, const BlockLoad& load) {
  if (!loads.empty() && loads.back().all == load.all && loads.back().longest == load.longest) {
    loads.back().blocks += load.blocks;
  } else {
    loads.push_back(load);
  }
}

std::vector<BlockLoad> unless_alike(std::vector<BlockLoad> loads) {
  if (loads.size() < 2) loads.clear();
  return loads;
}

}  // namespace

std::vector<BlockLoad> loads_of_all(const std::map<std::uint64_t, BlockTotal>& totals) {
  if (totals.size() > most_loads) return {};
  std::vector<BlockLoad> loads;
  for (const auto& [block, total] : totals) {
    append(loads, {1, static_cast<double>(total.all), static_cast<double>(total.longest)});
  }
  return unless_alike(std::move(loads));
}

std::vector<BlockLoad> loads_of_places(std::span<const BlockPlace> places, double longest_share) {
  std::vector<BlockLoad> loads;
  std::uint64_t told = 0;
  for (const BlockPlace& place : places) {
    told += place.size;
    if (!(place.work > 0) || std::isinf(place.work) || told > most_loads) return {};
    append(loads, {place.size, place.work, place.work * longest_share});
  }
  return unless_alike(std::move(loads));
}

}  // namespace forewarp::execution
