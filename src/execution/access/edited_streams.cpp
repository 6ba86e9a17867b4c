// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/edited_streams.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace forewarp::execution {
namespace {

template <typename T>
void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

class StreamEditor {
 public:
  StreamEditor(const AccessStreams& before, const StreamEdit& edit)
      : before_(before), edit_(edit), moved_(before.shapes.size(), no_shape) {}

  AccessStreams edit() {
    after_.grid = before_.grid;
    after_.skipped_blocks = before_.skipped_blocks;
    after_.buffers = before_.buffers;
    after_.window_blocks = before_.window_blocks;
    after_.follow_data = before_.follow_data;
    for (std::size_t i = 0; i < before_.hints.size(); ++i) {
      if (edit_.numbers[i] != StreamEdit::gone) after_.hints.push_back(before_.hints[i]);
    }
    for (const WarpStream& warp : before_.warps) edit_warp(warp);
    for (const auto& tally : before_.tallies) after_.tallies.push_back(edited(tally));
    after_.blocks = before_.blocks;
    return std::move(after_);
  }

 private:
  static constexpr std::uint32_t no_shape = 0xffffffffU;

  void edit_warp(const WarpStream& warp) {
    const std::uint64_t first = after_.bases.size();
    std::vector<std::uint32_t> path;
    std::uint64_t at = warp.first_base;
    for (const std::uint32_t shape : before_.paths[warp.path]) {
      std::uint64_t base = before_.bases[at++];
      const std::uint32_t now = edited(shape, base);
      if (now == no_shape) continue;
      path.push_back(now);
      after_.bases.push_back(base);
    }
    const auto [known, fresh] =
        paths_.try_emplace(std::move(path), static_cast<std::uint32_t>(after_.paths.size()));
    if (fresh) after_.paths.push_back(known->first);
    after_.warps.push_back({known->second, first});
  }

  std::vector<AccessTally> edited(const std::vector<AccessTally>& tally) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> times;
    for (const AccessTally& entry : tally) {
      std::uint64_t base = entry.phase;
      const std::uint32_t shape = edited(entry.shape, base);
      if (shape == no_shape) continue;
      const auto phase = static_cast<std::uint32_t>(base % AccessStreams::phase_bytes);
      times[{shape, phase}] += entry.times;
    }
    std::vector<AccessTally> after;
    after.reserve(times.size());
    for (const auto& [key, count] : times) after.push_back({key.first, key.second, count});
    return after;
  }

  /// The shape that an access has afterwards; `base` becomes the address of its first lane.
  std::uint32_t edited(std::uint32_t number, std::uint64_t& base) {
    const AccessShape& shape = before_.shapes[number];
    const std::uint32_t instruction = edit_.numbers[shape.instruction];
    if (instruction == StreamEdit::gone) return no_shape;
    const bool changes = edit_.change != nullptr && edit_.changed[shape.instruction];
    if (!changes && moved_[number] != no_shape) return moved_[number];
    std::array<std::int64_t, lane_count> offsets{};
    const std::size_t count = before_.lane_offsets(shape, offsets);
    AccessShape made = shape;
    if (changes) {
      std::array<std::uint64_t, lane_count> addresses{};
      for (std::size_t i = 0; i < count; ++i) {
        addresses[i] = base + static_cast<std::uint64_t>(offsets[i]);
      }
      edit_.change(made, std::span(addresses).first(count));
      base = addresses[0];
      for (std::size_t i = 0; i < count; ++i) {
        offsets[i] = static_cast<std::int64_t>(addresses[i] - base);
      }
    }
    made.instruction = instruction;
    const std::uint32_t found = shape_of(made, std::span(offsets).first(count));
    if (!changes) moved_[number] = found;
    return found;
  }

  /// A shape once, with its offsets written out: what costs time is looking at them, not the place.
  std::uint32_t shape_of(AccessShape shape, std::span<const std::int64_t> offsets) {
    std::string key;
    append(key, shape.instruction);
    append(key, shape.space);
    append(key, shape.kind);
    append(key, shape.bytes);
    append(key, shape.lanes);
    for (const std::int64_t offset : offsets) append(key, offset);
    const auto [known, fresh] =
        shapes_.try_emplace(std::move(key), static_cast<std::uint32_t>(after_.shapes.size()));
    if (!fresh) return known->second;
    shape.affine = false;
    shape.stride = 0;
    shape.wide = std::any_of(offsets.begin(), offsets.end(), [](std::int64_t offset) {
      return offset != static_cast<std::int32_t>(offset);
    });
    if (shape.wide) {
      shape.first_offset = static_cast<std::uint32_t>(after_.wide_offsets.size());
      after_.wide_offsets.insert(after_.wide_offsets.end(), offsets.begin(), offsets.end());
    } else {
      shape.first_offset = static_cast<std::uint32_t>(after_.offsets.size());
      for (const std::int64_t offset : offsets) {
        after_.offsets.push_back(static_cast<std::int32_t>(offset));
      }
    }
    after_.shapes.push_back(shape);
    return known->second;
  }

  const AccessStreams& before_;
  const StreamEdit& edit_;
  AccessStreams after_;
  std::vector<std::uint32_t> moved_;  ///< by shape: what it is where only its number changes
  std::unordered_map<std::string, std::uint32_t> shapes_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> paths_;
};

}  // namespace

AccessStreams edited_streams(const AccessStreams& streams, const StreamEdit& edit) {
  return StreamEditor(streams, edit).edit();
}

}  // namespace forewarp::execution
