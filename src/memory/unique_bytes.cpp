// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/unique_bytes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>
#include <vector>

namespace forewarp::memory {
namespace {

constexpr std::size_t most_intervals = 1 << 21;
constexpr std::size_t fewest_joined = 1 << 12;
constexpr std::uint64_t most_blocks_asked = 1 << 20;

/// Bytes begin .. end - 1.
struct Interval {
  std::uint64_t begin = 0, end = 0;
};
using Intervals = std::vector<Interval>;

bool before(const Interval& a, const Interval& b) {
  return a.begin < b.begin;
}

/// Sorts by `begin`. The input usually consists of a few runs that are already sorted.
void sort_stretches(Intervals& intervals) {
  constexpr std::size_t fewest_in_a_stretch = 16;
  std::vector<std::ptrdiff_t> ends;
  for (auto at = intervals.begin(); at != intervals.end();) {
    at = std::is_sorted_until(at, intervals.end(), before);
    ends.push_back(at - intervals.begin());
    if (ends.size() * fewest_in_a_stretch > intervals.size() + fewest_in_a_stretch)
      return std::sort(intervals.begin(), intervals.end(), before);
  }
  while (ends.size() > 1) {  // merges neighbouring runs
    std::vector<std::ptrdiff_t> joined;
    std::ptrdiff_t begin = 0;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      const std::ptrdiff_t end = i + 1 < ends.size() ? ends[i + 1] : ends[i];
      std::inplace_merge(intervals.begin() + begin, intervals.begin() + ends[i],
                         intervals.begin() + end, before);
      joined.push_back(begin = end);
    }
    ends = std::move(joined);
  }
}

/// Sorts and joins intervals that touch or overlap.
void merge(Intervals& intervals) {
  sort_stretches(intervals);
  std::size_t kept = 0;
  for (const Interval& next : intervals) {
    if (kept != 0 && next.begin <= intervals[kept - 1].end) {
      intervals[kept - 1].end = std::max(intervals[kept - 1].end, next.end);
    } else {
      intervals[kept++] = next;
    }
  }
  intervals.resize(kept);
}

/// Intervals that are joined now and then, so that what is touched again and again stays small.
class Gathered {
 public:
  Intervals intervals;

  /// False if there are too many.
  bool add(const Interval& one) {
    if (!intervals.empty() && one.begin <= intervals.back().end &&
        one.begin >= intervals.back().begin) {
      intervals.back().end = std::max(intervals.back().end, one.end);
      return true;
    }
    if (!recent_.empty() && was_recent(one)) return true;
    if (intervals.size() >= room_) join();
    intervals.push_back(one);
    return intervals.size() < 2 * most_intervals;
  }

 private:
  bool was_recent(const Interval& one) {
    const std::uint64_t place = (one.begin * 0x9e3779b97f4a7c15U) >> 32;
    Interval& other = recent_[place & (recent_.size() - 1)];
    if (other.begin == one.begin && other.end == one.end) return true;
    other = one;
    return false;
  }
  void join() {
    constexpr std::size_t most_recent = 1 << 16;
    merge(intervals);
    room_ = std::clamp(2 * intervals.size(), fewest_joined, 2 * most_intervals);
    const std::size_t recent = std::min(most_recent, std::bit_ceil(room_));
    if (recent > recent_.size()) recent_.assign(recent, {});
  }

  std::size_t room_ = fewest_joined;  ///< joined when there are so many
  Intervals recent_;                  ///< some of those that were added, where there are many
};

/// The union of `count` copies, each `step` behind the last; false if it has too many intervals.
bool repeat(Intervals& intervals, std::int64_t step, std::uint64_t count) {
  if (step == 0 || count <= 1) return true;
  const std::uint64_t size = static_cast<std::uint64_t>(step < 0 ? -step : step);
  const std::uint64_t back = step < 0 ? size * (count - 1) : 0;
  Intervals all, apart;  // those whose copies touch each other, and the others
  for (const Interval& one : intervals) {
    const Interval first{one.begin - back, one.end - back};
    if (one.end - one.begin >= size) {
      all.push_back({first.begin, first.end + size * (count - 1)});
    } else {
      apart.push_back(first);
    }
  }
  if (apart.size() * count > most_intervals) return false;
  all.reserve(all.size() + apart.size() * count);
  const auto copy = [&](const Interval& one, std::uint64_t i) {
    all.push_back({one.begin + i * size, one.end + i * size});
  };
  if (apart.size() < count) {  // so that sorted runs are long
    for (const Interval& one : apart)
      for (std::uint64_t i = 0; i < count; ++i) copy(one, i);
  } else {
    for (std::uint64_t i = 0; i < count; ++i)
      for (const Interval& one : apart) copy(one, i);
  }
  merge(all);
  intervals = std::move(all);
  return true;
}

/// Number of distinct units touched; `unit` is a power of two.
double units(const Intervals& intervals, double unit) {
  const auto shift = std::countr_zero(static_cast<std::uint64_t>(unit));
  std::uint64_t count = 0, next = 0;
  for (const Interval& one : intervals) {
    const std::uint64_t first = std::max(next, one.begin >> shift);
    const std::uint64_t end = ((one.end - 1) >> shift) + 1;
    if (end > first) count += end - first;
    next = std::max(next, end);
  }
  return static_cast<double>(count);
}

/// Blocks first .. first + count - 1 along each axis; all of one class.
struct Region {
  std::uint32_t block_class = BlockSynthesis::no_class;
  std::array<std::uint32_t, 3> first{}, count{};
};

/// Parts of one axis: the first block, the inner blocks, the last block.
std::vector<std::pair<std::uint32_t, std::uint32_t>> axis_parts(std::uint32_t extent) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts = {{0, 1}};
  if (extent > 2) parts.emplace_back(1, extent - 2);
  if (extent > 1) parts.emplace_back(extent - 1, 1);
  return parts;
}

/// Parts of a grid: each combination of first, inner or last blocks along the axes.
std::vector<Region> parts_of(const Extent& grid) {
  std::vector<Region> parts;
  for (const auto& z : axis_parts(grid[2])) {
    for (const auto& y : axis_parts(grid[1])) {
      for (const auto& x : axis_parts(grid[0])) {
        parts.push_back({BlockSynthesis::no_class,
                         {x.first, y.first, z.first},
                         {x.second, y.second, z.second}});
      }
    }
  }
  return parts;
}

class Union {
 public:
  Union(const AccessStreams& streams, const BlockSynthesis& synthesis, const Gpu& gpu)
      : streams_(streams),
        synthesis_(synthesis),
        sector_(static_cast<std::uint64_t>(gpu.sector_bytes)),
        stretches_(streams.shapes.size()) {}

  bool add_grid() {
    const Extent& grid = streams_.grid;
    std::vector<Region> parts = parts_of(grid);
    if (one_affine_class(parts))  // a function of the index holds across the parts
      parts = {{BlockSynthesis::no_class, {0, 0, 0}, {grid[0], grid[1], grid[2]}}};
    for (const Region& part : parts) {
      if (!add_part(part)) return false;
    }
    merge(read_);
    merge(written_);
    return true;
  }

  [[nodiscard]] UniqueBytes result(const Gpu& gpu) const {
    Intervals any = read_;
    any.insert(any.end(), written_.begin(), written_.end());
    merge(any);
    UniqueBytes result;
    result.read = units(read_, gpu.sector_bytes) * gpu.sector_bytes;
    result.written = units(written_, gpu.sector_bytes) * gpu.sector_bytes;
    result.any = units(any, gpu.sector_bytes) * gpu.sector_bytes;
    result.pages = units(any, gpu.page_bytes);
    return result;
  }

 private:
  [[nodiscard]] std::uint32_t class_of_part(const Region& part) const {
    return synthesis_.part_class(block_number(part.first, streams_.grid));
  }

  [[nodiscard]] std::uint32_t class_at(const Extent& block) const {
    return synthesis_.class_of(block_number(block, streams_.grid));
  }

  [[nodiscard]] bool one_affine_class(const std::vector<Region>& parts) const {
    const std::uint32_t one = class_of_part(parts.front());
    return one != BlockSynthesis::no_class && synthesis_.classes()[one].affine &&
           std::all_of(parts.begin(), parts.end(),
                       [&](const Region& part) { return class_of_part(part) == one; });
  }

  /// Adds one part of the grid: a box if its blocks are of one class, else rows of like blocks.
  bool add_part(Region part) {
    const std::uint64_t blocks = std::uint64_t{part.count[0]} * part.count[1] * part.count[2];
    const std::uint32_t own = class_of_part(part);
    if (own != BlockSynthesis::no_class) {
      part.block_class = own;
      return add_region(part);
    }
    asked_ += blocks;
    if (asked_ > most_blocks_asked) return false;
    for (std::uint32_t z = part.first[2]; z < part.first[2] + part.count[2]; ++z) {
      for (std::uint32_t y = part.first[1]; y < part.first[1] + part.count[1]; ++y) {
        if (!add_row(part, y, z)) return false;
      }
    }
    return true;
  }

  bool add_row(const Region& part, std::uint32_t y, std::uint32_t z) {
    const std::uint32_t end = part.first[0] + part.count[0];
    for (std::uint32_t x = part.first[0]; x < end;) {
      Region run{class_at({x, y, z}), {x, y, z}, {0, 1, 1}};
      for (; x < end && class_at({x, y, z}) == run.block_class; ++x) ++run.count[0];
      if (!add_region(run)) return false;
    }
    return true;
  }

  bool add_region(const Region& region) {
    if (region.block_class == BlockSynthesis::no_class) return false;
    const BlockClass& its = synthesis_.classes()[region.block_class];
    if (!its.affine) return add_recorded(region, its);
    std::map<std::array<std::int64_t, 3>, std::array<Gathered, 2>> groups;
    auto group = groups.end();  // of the access before: mostly that of the next, too
    std::uint64_t unit = 1;
    const Extent origin = {region.first[0], region.first[1], region.first[2]};
    for (std::size_t warp = 0; warp < its.paths.size(); ++warp) {
      const std::vector<std::uint32_t>& path = streams_.paths[its.paths[warp]];
      for (std::size_t i = 0; i < path.size(); ++i) {
        const AffineBase& base = its.warp[warp][i];
        std::array<std::int64_t, 3> step = base.step;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (region.count[axis] == 1) step[axis] = 0;
        }
        if (group == groups.end() || group->first != step) {
          group = groups.try_emplace(step).first;
          unit = unit_of(step);
        }
        if (!add_access(path[i], base.at(origin), unit, group->second)) return false;
      }
    }
    for (auto& [step, touched] : groups) {
      for (std::size_t write = 0; write < 2; ++write) {
        Intervals& its_own = touched[write].intervals;
        if (!spread(its_own, step, region)) return false;
        Intervals& target = write != 0 ? written_ : read_;
        target.insert(target.end(), its_own.begin(), its_own.end());
        if (target.size() > most_intervals) merge(target);
        if (target.size() > most_intervals) return false;
      }
    }
    return true;
  }

  /// Spreads along the smallest steps first, as they close gaps.
  static bool spread(Intervals& intervals, const std::array<std::int64_t, 3>& step,
                     const Region& region) {
    merge(intervals);
    std::array<std::size_t, 3> order = {0, 1, 2};
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(step[a]) != std::abs(step[b]) ? std::abs(step[a]) < std::abs(step[b]) : a < b;
    });
    return std::all_of(order.begin(), order.end(), [&](std::size_t axis) {
      return repeat(intervals, step[axis], region.count[axis]);
    });
  }

  /// Adds blocks of a class without affine addresses: all of them are recorded, one by one.
  bool add_recorded(const Region& region, const BlockClass& its) {
    for (std::uint32_t x = region.first[0]; x < region.first[0] + region.count[0]; ++x) {
      const BlockStream* block =
          streams_.find(block_number({x, region.first[1], region.first[2]}, streams_.grid));
      if (block == nullptr || region.count[1] * region.count[2] != 1) return false;
      std::array<Gathered, 2> group;
      for (std::size_t warp = 0; warp < its.paths.size(); ++warp) {
        const WarpStream& stream = streams_.warps[block->first_warp + warp];
        const std::vector<std::uint32_t>& path = streams_.paths[stream.path];
        for (std::size_t i = 0; i < path.size(); ++i) {
          const std::uint64_t base = streams_.bases[stream.first_base + i];
          if (!add_access(path[i], base, sector_, group)) return false;
        }
      }
      for (std::size_t write = 0; write < 2; ++write) {
        const Intervals& its_own = group[write].intervals;
        Intervals& target = write != 0 ? written_ : read_;
        target.insert(target.end(), its_own.begin(), its_own.end());
      }
    }
    if (read_.size() > most_intervals) merge(read_);
    if (written_.size() > most_intervals) merge(written_);
    return read_.size() <= most_intervals && written_.size() <= most_intervals;
  }

  /// Sectors are what is counted: where all copies lie alike in them, they are taken whole.
  [[nodiscard]] std::uint64_t unit_of(const std::array<std::int64_t, 3>& step) const {
    const bool whole = std::all_of(step.begin(), step.end(), [&](std::int64_t one) {
      return one % static_cast<std::int64_t>(sector_) == 0;
    });
    return whole ? sector_ : 1;
  }

  bool add_access(std::uint32_t number, std::uint64_t base, std::uint64_t unit,
                  std::array<Gathered, 2>& group) {
    const AccessShape& shape = streams_.shapes[number];
    if (shape.space == MemorySpace::local) return true;
    const bool reads = shape.kind != AccessKind::store;
    const bool writes = shape.kind == AccessKind::store || shape.kind == AccessKind::atomic ||
                        shape.kind == AccessKind::reduction;
    const std::uint64_t within = unit - 1;  // a power of two
    for (const Stretch& touched : stretches_of(number)) {
      Interval one;
      one.begin = (base + static_cast<std::uint64_t>(touched.first)) & ~within;
      one.end = (base + static_cast<std::uint64_t>(touched.second) + within) & ~within;
      if (reads && !group[0].add(one)) return false;
      if (writes && !group[1].add(one)) return false;
    }
    return true;
  }

  using Stretch = std::pair<std::int64_t, std::int64_t>;  // bytes from the access's base

  /// What the lanes of a shape touch, joined where it touches or overlaps.
  const std::vector<Stretch>& stretches_of(std::uint32_t number) {
    std::vector<Stretch>& joined = stretches_[number];
    if (!joined.empty()) return joined;
    const AccessShape& shape = streams_.shapes[number];
    std::array<std::int64_t, lane_count> offsets{};
    const std::size_t count = streams_.lane_offsets(shape, offsets);
    std::sort(offsets.begin(), offsets.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t end = offsets[i] + static_cast<std::int64_t>(shape.bytes);
      if (!joined.empty() && offsets[i] <= joined.back().second) {
        joined.back().second = std::max(joined.back().second, end);
      } else {
        joined.emplace_back(offsets[i], end);
      }
    }
    return joined;
  }

  const AccessStreams& streams_;
  const BlockSynthesis& synthesis_;
  const std::uint64_t sector_;
  Intervals read_, written_;
  std::vector<std::vector<Stretch>> stretches_;  ///< by shape; empty: not asked for yet
  std::uint64_t asked_ = 0;
};

}  // namespace

std::optional<UniqueBytes> unique_bytes(const AccessStreams& streams,
                                        const BlockSynthesis& synthesis, const Gpu& gpu) {
  if (!synthesis.complete()) return std::nullopt;
  Union all(streams, synthesis, gpu);
  if (!all.add_grid()) return std::nullopt;
  return all.result(gpu);
}

}  // namespace forewarp::memory
