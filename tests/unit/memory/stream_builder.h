// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "execution/access/access_stream.h"
#include "execution/grid/sampling.h"

namespace forewarp::tests {

/// One warp's access: lane i at base + stride * i.
struct PlainAccess {
  std::uint64_t base = 0;
  AccessKind kind = AccessKind::load;
  std::int64_t stride = 4;
  std::uint8_t bytes = 4;
  std::uint32_t instruction = 0;
  MemorySpace space = MemorySpace::global;
};

/// Streams written down by hand.
class StreamBuilder {
 public:
  explicit StreamBuilder(std::uint32_t blocks, std::size_t instructions = 4) {
    streams_.grid = {blocks, 1, 1};
    streams_.hints.assign(instructions, CacheHint::usual);
  }

  /// The next block, of one warp.
  StreamBuilder& block(const std::vector<PlainAccess>& accesses) {
    BlockStream block;
    block.block = next_++;
    block.first_warp = static_cast<std::uint32_t>(streams_.warps.size());
    block.warp_count = 1;
    std::vector<std::uint32_t> path;
    WarpStream warp;
    warp.first_base = streams_.bases.size();
    for (const PlainAccess& access : accesses) {
      path.push_back(shape_of(access));
      streams_.bases.push_back(access.base);
    }
    const auto known = std::find(streams_.paths.begin(), streams_.paths.end(), path);
    warp.path = static_cast<std::uint32_t>(known - streams_.paths.begin());
    if (known == streams_.paths.end()) streams_.paths.push_back(path);
    streams_.warps.push_back(warp);
    if (streams_.tallies.empty()) streams_.tallies.emplace_back();
    streams_.blocks.push_back(block);
    return *this;
  }
  /// So many blocks are not recorded.
  StreamBuilder& skip(std::uint64_t blocks) {
    next_ += blocks;
    return *this;
  }
  /// All blocks so far are windows; those that are to come are none.
  StreamBuilder& windows() {
    for (const BlockStream& block : streams_.blocks) streams_.window_blocks.push_back(block.block);
    return *this;
  }
  StreamBuilder& sized_buffer(std::uint64_t address, std::uint64_t bytes) {
    streams_.buffers.push_back({address, bytes});
    return *this;
  }
  StreamBuilder& follow_data() {
    streams_.follow_data = true;
    return *this;
  }
  [[nodiscard]] const AccessStreams& streams() const { return streams_; }
  [[nodiscard]] SamplePlan plan() const { return plan_all(streams_.grid); }
  /// One block stands for all.
  [[nodiscard]] SamplePlan plan_of(std::uint64_t block) const {
    SamplePlan plan;
    plan.strata.push_back({volume(streams_.grid), 0, {block}});
    return plan;
  }

 private:
  std::uint32_t shape_of(const PlainAccess& access) {
    for (std::uint32_t i = 0; i < streams_.shapes.size(); ++i) {
      const AccessShape& shape = streams_.shapes[i];
      if (shape.kind == access.kind && shape.stride == access.stride &&
          shape.bytes == access.bytes && shape.instruction == access.instruction &&
          shape.space == access.space) {
        return i;
      }
    }
    AccessShape shape;
    shape.instruction = access.instruction;
    shape.kind = access.kind;
    shape.space = access.space;
    shape.bytes = access.bytes;
    shape.stride = access.stride;
    shape.lanes = all_lanes;
    streams_.shapes.push_back(shape);
    return static_cast<std::uint32_t>(streams_.shapes.size() - 1);
  }

  AccessStreams streams_;
  std::uint64_t next_ = 0;  ///< block
};

}  // namespace forewarp::tests
