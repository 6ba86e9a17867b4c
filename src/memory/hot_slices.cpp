// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/hot_slices.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <vector>

#include "memory/traffic.h"

namespace forewarp {
namespace {

constexpr std::size_t most_accesses = 50'000;  // looked at

/// What the blocks that were looked at do to one stretch.
struct Stretch {
  double turns = 0, sectors = 0;
  std::uint64_t first = 0, last = 0;  ///< places of the blocks among those looked at
};

class SliceSearch {
 public:
  SliceSearch(const AccessStreams& streams, AccessGeometry& geometry, double slice_bytes)
      : streams_(streams),
        geometry_(geometry),
        lines_(std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(slice_bytes) / geometry.line_bytes())) {}

  void add(const BlockStream& block, std::uint64_t place) {
    for (const WarpStream& warp : streams_.warps_of(block)) {
      const std::vector<std::uint32_t>& path = streams_.paths[warp.path];
      for (std::size_t i = 0; i < path.size(); ++i) {
        add(path[i], streams_.bases[warp.first_base + i], place);
      }
    }
  }

  [[nodiscard]] const std::unordered_map<std::uint64_t, Stretch>& stretches() const {
    return stretches_;
  }

 private:
  void add(std::uint32_t shape, std::uint64_t base, std::uint64_t place) {
    const AccessShape& its = streams_.shapes[shape];
    if (its.space != MemorySpace::global && its.space != MemorySpace::generic) return;
    const AccessCost& cost = geometry_.cost(shape, base);
    if (cost.sectors <= 0) return;
    const bool loads = its.kind == AccessKind::load || its.kind == AccessKind::copy_to_shared;
    if (loads && streams_.hints[its.instruction] != CacheHint::shared) return;
    const double turns = cost.turns / cost.sectors;
    const std::uint64_t line = geometry_.first_line(false, base);
    for (const LinePiece& piece : geometry_.pieces(cost)) {
      const std::uint64_t number = (line + static_cast<std::uint64_t>(piece.line)) / lines_;
      const auto [found, fresh] = stretches_.try_emplace(number);
      Stretch& stretch = found->second;
      const double sectors = std::popcount(piece.sectors);
      stretch.sectors += sectors;
      stretch.turns += turns * sectors;
      if (fresh) stretch.first = place;
      stretch.last = place;
    }
  }

  const AccessStreams& streams_;
  AccessGeometry& geometry_;
  std::uint64_t lines_;
  std::unordered_map<std::uint64_t, Stretch> stretches_;
};

std::size_t accesses_of(const AccessStreams& streams, const BlockStream& block) {
  std::size_t count = 0;
  for (const WarpStream& warp : streams.warps_of(block)) count += streams.paths[warp.path].size();
  return count;
}

/// Every so many-th block, so that all of them together are not too many accesses.
std::vector<const BlockStream*> chosen(const AccessStreams& streams, const SamplePlan& plan) {
  std::vector<const BlockStream*> all;
  std::size_t accesses = 0;
  for (const std::uint64_t block : recorded_plan(plan, streams).blocks()) {
    all.push_back(streams.find(block));
    accesses += accesses_of(streams, *all.back());
  }
  const std::size_t step = accesses / most_accesses + 1;
  std::vector<const BlockStream*> kept;
  for (std::size_t i = 0; i < all.size(); i += step) kept.push_back(all[i]);
  return kept;
}

}  // namespace

HotSlices hot_slices(const AccessStreams& streams, const SamplePlan& plan, AccessGeometry& geometry,
                     const Gpu& gpu) {
  const double slice = gpu.number("l2.slice_bytes");
  const std::vector<const BlockStream*> blocks = chosen(streams, plan);
  if (slice <= 0 || blocks.empty()) return {};
  SliceSearch search(streams, geometry, slice);
  for (std::size_t i = 0; i < blocks.size(); ++i) search.add(*blocks[i], i);
  double turns = 0, sectors = 0, most_turns = 0, most_sectors = 0;
  const double whole = static_cast<double>(plan.size());
  const double each = whole / static_cast<double>(blocks.size());
  for (const auto& [number, stretch] : search.stretches()) {
    turns += each * stretch.turns;
    sectors += each * stretch.sectors;
    const double between =
        static_cast<double>(blocks[stretch.last]->block - blocks[stretch.first]->block + 1);
    const double looked = static_cast<double>(stretch.last - stretch.first + 1);
    const double times = std::min(between / looked, each);
    most_turns = std::max(most_turns, times * stretch.turns);
    most_sectors = std::max(most_sectors, times * stretch.sectors);
  }
  HotSlices hot;
  if (turns > 0) hot.turns = std::min(1.0, most_turns / turns);
  if (sectors > 0) hot.sectors = std::min(1.0, most_sectors / sectors);
  return hot;
}

}  // namespace forewarp
