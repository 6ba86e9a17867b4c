// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/access_sink.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/mixed.h"
#include "execution/lowering/data_addresses.h"

namespace forewarp::execution {
namespace {

std::uint64_t joined(std::uint64_t hash, std::uint64_t value) {
  return mixed(hash ^ (value + 0x9e3779b97f4a7c15U));
}

bool kept_in_order(MemorySpace space) {
  return space == MemorySpace::global || space == MemorySpace::generic ||
         space == MemorySpace::local;
}

/// Finds the stride from lane to lane; false if it is not the same for all lanes of the access.
bool affine_stride(std::span<const std::int64_t> offsets, LaneMask lanes, std::int64_t& stride) {
  stride = 0;
  const int first = std::countr_zero(lanes);
  const LaneMask rest = lanes & (lanes - 1);
  if (rest == 0) return true;
  const int step = std::countr_zero(rest) - first;
  if (offsets[1] % step != 0) return false;
  stride = offsets[1] / step;
  std::size_t i = 0;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    if (!has_lane(lanes, lane)) continue;
    if (offsets[i++] != stride * (static_cast<int>(lane) - first)) return false;
  }
  return true;
}

bool fits_32_bits(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

bool same_kind(const AccessShape& a, const AccessShape& b) {
  return a.instruction == b.instruction && a.space == b.space && a.kind == b.kind &&
         a.bytes == b.bytes && a.affine == b.affine && a.lanes == b.lanes && a.stride == b.stride &&
         a.elsewhere == b.elsewhere;
}

/// How many lanes access shared memory of other blocks.
std::uint8_t lanes_elsewhere(const Warp& warp, const MemoryAccess& access) {
  if (access.space != MemorySpace::shared || warp.block->peers.empty()) return 0;
  std::uint8_t count = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(access.lanes, i) && &warp.block->holder(access.address[i]) != warp.block) ++count;
  }
  return count;
}

}  // namespace

AccessSink::AccessSink(const Program& program, const Extent& grid, std::uint64_t blocks,
                       const AccessLimits& limits)
    : program_(&program),
      expected_blocks_(std::max<std::uint64_t>(1, blocks)),
      limits_(limits),
      recent_places_(2 * program.ops.size()) {
  streams_.grid = grid;
}

void AccessSink::block_started(Block& block) {
  ++seen_blocks_;
  // Long blocks at the beginning of a grid may use what later ones leave.
  constexpr double ahead = 1.0 / 16;
  const double seen = static_cast<double>(seen_blocks_) / static_cast<double>(expected_blocks_);
  const double granted =
      static_cast<double>(limits_.most_bytes) * (ahead + (1 - ahead) * std::min(1.0, seen));
  auto running = std::make_unique<Running>();
  running->block = block.linear;
  running->serial = seen_blocks_;
  running->recorded = static_cast<double>(used_bytes_) < granted;
  running->warps.resize(block.warps.size());
  last_running_ = running.get();
  running_[block.linear] = std::move(running);
}

AccessSink::Running& AccessSink::running_of(const Block& block) {
  if (last_running_ == nullptr || last_running_->block != block.linear)
    last_running_ = running_.at(block.linear).get();
  return *last_running_;
}

void AccessSink::accessed(const Warp& warp, const MemoryAccess& access) {
  if (access.lanes == 0) return;
  Running& running = running_of(*warp.block);
  ++running.accesses;
  if (!running.recorded) return;
  constexpr std::uint64_t record_bytes = sizeof(std::uint64_t) + sizeof(std::uint32_t);
  const std::uint64_t base = access.address[static_cast<unsigned>(std::countr_zero(access.lanes))];
  if (kept_in_order(access.space)) {
    WarpRecord& record = running.warps[warp.number];
    const std::uint64_t most = limits_.most_block_bytes / running.warps.size() / record_bytes;
    if (record.shapes.size() >= most) return;
    const std::uint32_t shape = shape_of(warp, access, base);
    record.shapes.push_back(shape);
    record.bases.push_back(base);
    record.hash = joined(record.hash, shape);
  } else {
    const std::uint64_t key =
        std::uint64_t{shape_of(warp, access, base)} << 32 | base % AccessStreams::phase_bytes;
    Recent& recent = recent_of(access);
    if (recent.serial != running.serial || recent.key != key) {
      recent.serial = running.serial;
      recent.key = key;
      recent.times = &running.tally[key];
    }
    ++*recent.times;
  }
  ++running.kept;
}

AccessSink::Recent& AccessSink::recent_of(const MemoryAccess& access) {
  const bool second = access.space == MemorySpace::shared && access.kind == AccessKind::store;
  std::uint32_t& place = recent_places_[2 * std::size_t{access.instruction} + (second ? 1 : 0)];
  if (place == 0) {
    recent_.emplace_back();
    place = static_cast<std::uint32_t>(recent_.size());
  }
  return recent_[place - 1];
}

std::uint32_t AccessSink::shape_of(const Warp& warp, const MemoryAccess& access,
                                   std::uint64_t base) {
  const RowFunctions& rows = *warp.block->environment->rows;
  Recent& recent = recent_of(access);
  const std::uint8_t elsewhere = lanes_elsewhere(warp, access);
  if (recent.shape != 0xffffffffU && recent.lanes == access.lanes && recent.space == access.space &&
      recent.elsewhere == elsewhere &&
      rows.same_offsets(access.address.data(), access.lanes, base, recent.offset.data())) {
    return recent.shape;
  }
  AccessShape shape;
  shape.instruction = access.instruction;
  shape.space = access.space;
  shape.kind = access.kind;
  shape.bytes = access.bytes;
  shape.lanes = access.lanes;
  shape.elsewhere = elsewhere;
  std::array<std::int64_t, lane_count> offsets{};
  std::size_t count = 0;
  recent.offset.fill(0);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(access.lanes, i)) continue;
    recent.offset[i] = access.address[i] - base;
    offsets[count++] = static_cast<std::int64_t>(recent.offset[i]);
  }
  const std::span<const std::int64_t> used(offsets.data(), count);
  shape.affine = affine_stride(used, shape.lanes, shape.stride);
  if (!shape.affine) shape.stride = 0;
  recent.lanes = access.lanes;
  recent.space = access.space;
  recent.elsewhere = elsewhere;
  recent.shape = add_shape(shape, used);
  return recent.shape;
}

std::uint32_t AccessSink::add_shape(const AccessShape& shape,
                                    std::span<const std::int64_t> offsets) {
  std::uint64_t hash = joined(shape.instruction, shape.lanes);
  hash = joined(hash, static_cast<std::uint64_t>(shape.space) << 16 |
                          static_cast<std::uint64_t>(shape.kind) << 8 | shape.bytes);
  hash = joined(hash, static_cast<std::uint64_t>(shape.stride));
  if (!shape.affine) {
    for (const std::int64_t offset : offsets)
      hash = joined(hash, static_cast<std::uint64_t>(offset));
  }
  const auto [begin, end] = shape_index_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    const AccessShape& other = streams_.shapes[at->second];
    if (!same_kind(shape, other)) continue;
    std::array<std::int64_t, lane_count> others{};
    const std::size_t count = streams_.lane_offsets(other, others);
    if (std::equal(offsets.begin(), offsets.end(), others.begin(), others.begin() + count))
      return at->second;
  }
  AccessShape added = shape;
  if (!added.affine) {
    added.wide = !std::all_of(offsets.begin(), offsets.end(), fits_32_bits);
    if (added.wide) {
      added.first_offset = static_cast<std::uint32_t>(streams_.wide_offsets.size());
      streams_.wide_offsets.insert(streams_.wide_offsets.end(), offsets.begin(), offsets.end());
    } else {
      added.first_offset = static_cast<std::uint32_t>(streams_.offsets.size());
      for (const std::int64_t offset : offsets)
        streams_.offsets.push_back(static_cast<std::int32_t>(offset));
    }
    used_bytes_ += offsets.size() * (added.wide ? sizeof(std::int64_t) : sizeof(std::int32_t));
  }
  constexpr std::uint64_t index_bytes = 48;  // approximate size of an index entry
  used_bytes_ += sizeof(AccessShape) + index_bytes;
  const auto id = static_cast<std::uint32_t>(streams_.shapes.size());
  streams_.shapes.push_back(added);
  shape_index_.emplace(hash, id);
  return id;
}

std::uint32_t AccessSink::add_path(std::vector<std::uint32_t> shapes, std::uint64_t hash) {
  const auto [begin, end] = path_index_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (streams_.paths[at->second] == shapes) return at->second;
  }
  const auto id = static_cast<std::uint32_t>(streams_.paths.size());
  used_bytes_ += shapes.size() * sizeof(std::uint32_t);
  streams_.paths.push_back(std::move(shapes));
  path_index_.emplace(hash, id);
  return id;
}

std::uint32_t AccessSink::add_tally(std::vector<AccessTally> tally) {
  std::sort(tally.begin(), tally.end(), [](const AccessTally& a, const AccessTally& b) {
    return a.shape != b.shape ? a.shape < b.shape : a.phase < b.phase;
  });
  std::uint64_t hash = tally.size();
  for (const AccessTally& entry : tally)
    hash = joined(joined(hash, std::uint64_t{entry.shape} << 32 | entry.phase), entry.times);
  const auto [begin, end] = tally_index_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (streams_.tallies[at->second] == tally) return at->second;
  }
  const auto id = static_cast<std::uint32_t>(streams_.tallies.size());
  used_bytes_ += tally.size() * sizeof(AccessTally);
  streams_.tallies.push_back(std::move(tally));
  tally_index_.emplace(hash, id);
  return id;
}

void AccessSink::block_ended(const Block& block) {
  Running& running = running_of(block);
  if (!running.recorded) {
    ++streams_.skipped_blocks;
  } else {
    BlockStream stream;
    stream.block = running.block;
    stream.first_warp = static_cast<std::uint32_t>(streams_.warps.size());
    stream.warp_count = static_cast<std::uint32_t>(running.warps.size());
    if (running.accesses != 0) {
      stream.recorded_share =
          static_cast<double>(running.kept) / static_cast<double>(running.accesses);
    }
    for (WarpRecord& warp : running.warps) {
      streams_.warps.push_back(
          {add_path(std::move(warp.shapes), warp.hash), streams_.bases.size()});
      streams_.bases.insert(streams_.bases.end(), warp.bases.begin(), warp.bases.end());
      used_bytes_ += sizeof(WarpStream) + warp.bases.size() * sizeof(std::uint64_t);
    }
    std::vector<AccessTally> tally;
    tally.reserve(running.tally.size());
    for (const auto& [key, times] : running.tally) {
      tally.push_back({static_cast<std::uint32_t>(key >> 32),
                       static_cast<std::uint32_t>(key & 0xffffffffU), times});
    }
    stream.tally = add_tally(std::move(tally));
    streams_.blocks.push_back(stream);
  }
  last_running_ = nullptr;
  running_.erase(block.linear);
}

/// The records of a run alone are as they are: those of a long one are large.
void AccessSink::take_over(AccessSink& later) {
  const Extent grid = streams_.grid;
  streams_ = std::move(later.streams_);
  streams_.grid = grid;
  seen_blocks_ = later.seen_blocks_;
  used_bytes_ = later.used_bytes_;
  shape_index_ = std::move(later.shape_index_);
  path_index_ = std::move(later.path_index_);
  tally_index_ = std::move(later.tally_index_);
}

void AccessSink::merge(AccessSink& later) {
  if (seen_blocks_ == 0) return take_over(later);
  const AccessStreams& other = later.streams_;
  std::vector<std::uint32_t> shape_ids, path_ids, tally_ids;
  for (const AccessShape& shape : other.shapes) {
    std::array<std::int64_t, lane_count> offsets{};
    const std::size_t count = other.lane_offsets(shape, offsets);
    shape_ids.push_back(add_shape(shape, {offsets.data(), count}));
  }
  for (const std::vector<std::uint32_t>& path : other.paths) {
    std::vector<std::uint32_t> mine;
    mine.reserve(path.size());
    std::uint64_t hash = 0;
    for (const std::uint32_t shape : path) {
      mine.push_back(shape_ids[shape]);
      hash = joined(hash, mine.back());
    }
    path_ids.push_back(add_path(std::move(mine), hash));
  }
  for (std::vector<AccessTally> tally : other.tallies) {
    for (AccessTally& entry : tally) entry.shape = shape_ids[entry.shape];
    tally_ids.push_back(add_tally(std::move(tally)));
  }
  const auto first_warp = static_cast<std::uint32_t>(streams_.warps.size());
  const std::uint64_t first_base = streams_.bases.size();
  for (const WarpStream& warp : other.warps)
    streams_.warps.push_back({path_ids[warp.path], first_base + warp.first_base});
  streams_.bases.insert(streams_.bases.end(), other.bases.begin(), other.bases.end());
  for (BlockStream block : other.blocks) {
    block.tally = tally_ids[block.tally];
    block.first_warp += first_warp;
    streams_.blocks.push_back(block);
  }
  streams_.skipped_blocks += other.skipped_blocks;
  seen_blocks_ += later.seen_blocks_;
}

AccessStreams AccessSink::take() {
  std::sort(streams_.blocks.begin(), streams_.blocks.end(),
            [](const BlockStream& a, const BlockStream& b) { return a.block < b.block; });
  streams_.hints.clear();
  for (const Instruction& instruction : program_->kernel->instructions)
    streams_.hints.push_back(cache_hint(instruction));
  streams_.follow_data = addresses_follow_data(*program_);
  AccessStreams result = std::move(streams_);
  *this = AccessSink(*program_, result.grid, expected_blocks_, limits_);
  return result;
}

}  // namespace forewarp::execution
