// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/random_places.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace forewarp::memory {
namespace {

constexpr std::size_t fewest_pairs = 16, most_pairs = 256;
constexpr std::size_t most_accesses = 64;  // of a warp
constexpr double hardly_ever_same = 0.9;   // of the distances, at least, are different
constexpr double far = 0.125;              // of the extent; a third on average if drawn evenly
constexpr double considerable = 0.1;       // of a warp's accesses

/// Warps of one number of two neighbouring blocks.
struct Pair {
  const WarpStream *before = nullptr, *after = nullptr;
};

std::vector<Pair> neighbours(const AccessStreams& streams) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i + 1 < streams.blocks.size(); ++i) {
    const BlockStream &before = streams.blocks[i], &after = streams.blocks[i + 1];
    if (after.block != before.block + 1) continue;
    const auto first = streams.warps_of(before), second = streams.warps_of(after);
    for (std::size_t warp = 0; warp < std::min(first.size(), second.size()); ++warp) {
      if (pairs.size() == most_pairs) return pairs;
      pairs.push_back({&first[warp], &second[warp]});
    }
  }
  return pairs;
}

/// Whether the access of this number is the same instruction of both, in global memory.
bool same_access(const AccessStreams& streams, const Pair& pair, std::size_t at) {
  const auto &before = streams.paths[pair.before->path], &after = streams.paths[pair.after->path];
  if (at >= before.size() || at >= after.size()) return false;
  const AccessShape &first = streams.shapes[before[at]], &second = streams.shapes[after[at]];
  return first.space == MemorySpace::global && first.instruction == second.instruction;
}

bool look_random(std::vector<std::int64_t>& distances, double extent) {
  double sum = 0;
  for (const std::int64_t distance : distances) sum += static_cast<double>(std::abs(distance));
  const auto count = static_cast<double>(distances.size());
  std::sort(distances.begin(), distances.end());
  distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
  return static_cast<double>(distances.size()) >= hardly_ever_same * count &&
         sum >= far * extent * count;
}

}  // namespace

bool places_look_random(const AccessStreams& streams) {
  const std::vector<Pair> pairs = neighbours(streams);
  std::size_t random = 0, all = 0;
  for (std::size_t at = 0; at < most_accesses; ++at) {
    std::vector<std::int64_t> distances;
    std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
    for (const Pair& pair : pairs) {
      if (!same_access(streams, pair, at)) continue;
      const std::uint64_t before = streams.bases[pair.before->first_base + at],
                          after = streams.bases[pair.after->first_base + at];
      distances.push_back(static_cast<std::int64_t>(after - before));
      lowest = std::min({lowest, before, after});
      highest = std::max({highest, before, after});
    }
    if (distances.size() < fewest_pairs) continue;
    ++all;
    if (look_random(distances, static_cast<double>(highest - lowest))) ++random;
  }
  return static_cast<double>(random) > considerable * static_cast<double>(all);
}

}  // namespace forewarp::memory
