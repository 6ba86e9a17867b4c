// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/wcet/block_bound.h"

#include <algorithm>
#include <cmath>

namespace forewarp::timing {
namespace {

bool same_regions(const WarpBound& a, const WarpBound& b) {
  return a.regions.size() == b.regions.size() &&
         std::equal(a.regions.begin(), a.regions.end(), b.regions.begin(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && x.second.count == y.second.count;
                    });
}

std::map<RegionKey, RegionTime> slowest_regions(const std::vector<WarpBound>& warps) {
  std::map<RegionKey, RegionTime> slowest;
  for (const WarpBound& warp : warps) {
    for (const auto& [key, region] : warp.regions) {
      RegionTime& known = slowest[key];
      const double most = std::max(known.most, region.most);
      if (region.cycles.total() > known.cycles.total()) known = region;
      known.most = most;
    }
  }
  return slowest;
}

/// Cycles of the block without interference between its warps.
double undisturbed(const std::vector<WarpBound>& warps, const BlockBound& block, bool aligned) {
  double longest = 0, sum = 0;
  bool barriers = false, alike = aligned;
  for (const WarpBound& warp : warps) {
    longest = std::max(longest, warp.cycles);
    sum += warp.cycles;
    barriers = barriers || warp.barriers > 0;
    alike = alike && same_regions(warp, warps.front());
  }
  if (!barriers || warps.size() == 1) return longest;
  if (!alike) return sum;
  double regions = 0;
  for (const auto& [key, region] : block.regions) regions += region.count * region.most;
  return std::min(sum, regions);
}

}  // namespace

BlockBound block_bound(const std::vector<WarpBound>& warps, const WorstRules& rules, bool aligned) {
  BlockBound block;
  if (warps.empty()) return block;
  block.regions = slowest_regions(warps);
  double units = 0, least = warps.front().units, delays = 0;
  bool barriers = false;
  const WarpBound* longest = &warps.front();
  for (const WarpBound& warp : warps) {
    units += warp.units;
    least = std::min(least, warp.units);
    barriers = barriers || warp.barriers > 0;
    delays = std::max(delays, warp.delays);
    if (warp.cycles > longest->cycles) longest = &warp;
  }
  block.components = longest->components;
  if (warps.size() > 1) {
    const double others = std::ceil(static_cast<double>(warps.size()) / rules.schedulers) - 1;
    // Another warp may be the slowest between each two barriers, so no warp's units are left out.
    block.interference = (barriers ? units : units - least) + rules.slot * others * (1 + delays);
    block.components[static_cast<std::size_t>(Component::load_store_units)] += block.interference;
  }
  block.cycles = undisturbed(warps, block, aligned) + block.interference;
  return block;
}

}  // namespace forewarp::timing
