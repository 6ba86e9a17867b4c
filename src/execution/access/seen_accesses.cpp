// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/seen_accesses.h"

#include <array>
#include <cstdlib>
#include <vector>

namespace forewarp::execution {
namespace {

/// Of a shape: how often it was recorded, where first, and the bits of its first lane's addresses.
struct ShapeUse {
  double times = 0;
  std::uint64_t address = 0;
  std::uint64_t address_bits = 0;
};

std::vector<ShapeUse> uses_of(const AccessStreams& streams) {
  std::vector<ShapeUse> uses(streams.shapes.size());
  const auto use = [&](std::uint32_t shape, double times, std::uint64_t address) {
    if (uses[shape].times == 0) uses[shape].address = address;
    uses[shape].times += times;
    uses[shape].address_bits |= address;
  };
  for (const WarpStream& warp : streams.warps) {
    std::uint64_t at = warp.first_base;
    for (const std::uint32_t shape : streams.paths[warp.path]) {
      use(shape, 1, streams.bases[at++]);
    }
  }
  for (const BlockStream& block : streams.blocks) {
    for (const AccessTally& entry : streams.tallies[block.tally]) {
      use(entry.shape, static_cast<double>(entry.times), entry.phase);
    }
  }
  return uses;
}

}  // namespace

std::map<std::uint32_t, SeenAccess> seen_accesses(const AccessStreams& streams) {
  const std::vector<ShapeUse> uses = uses_of(streams);
  std::map<std::uint32_t, SeenAccess> seen;
  std::map<std::uint32_t, std::map<std::int64_t, double>> steps;
  for (std::size_t s = 0; s < streams.shapes.size(); ++s) {
    const AccessShape& shape = streams.shapes[s];
    if (uses[s].times == 0) continue;
    const bool stores_copy =
        shape.kind == AccessKind::store && shape.space == MemorySpace::shared &&
        seen.contains(shape.instruction) && seen[shape.instruction].space != MemorySpace::shared;
    if (stores_copy) continue;
    SeenAccess& access = seen[shape.instruction];
    if (access.times == 0) {
      access = {shape.space, shape.kind, shape.bytes, 0, 0, 0, uses[s].address, 0};
    }
    access.times += uses[s].times;
    std::array<std::int64_t, lane_count> offsets{};
    const std::size_t lanes = streams.lane_offsets(shape, offsets);
    // Of lanes at base + offset all are multiples exactly if the base and all offsets are.
    access.address_bits |= uses[s].address_bits;
    for (std::size_t i = 0; i < lanes; ++i) {
      access.address_bits |= static_cast<std::uint64_t>(offsets[i]);
    }
    for (std::size_t i = 1; i < lanes; ++i) {
      steps[shape.instruction][std::llabs(offsets[i] - offsets[i - 1])] += uses[s].times;
    }
  }
  for (const auto& [instruction, distances] : steps) {
    double all = 0, most = 0;
    for (const auto& [distance, times] : distances) {
      all += times;
      if (times <= most) continue;
      most = times;
      seen[instruction].step = distance;
    }
    seen[instruction].step_share = most / all;
  }
  return seen;
}

}  // namespace forewarp::execution
