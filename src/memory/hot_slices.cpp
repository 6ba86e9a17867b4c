// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/hot_slices.h"

#include <algorithm>
#include <bit>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/mixed.h"
#include "memory/cache_hierarchy.h"
#include "memory/traffic.h"

namespace forewarp::memory {
namespace {

constexpr std::size_t most_accesses = 50'000;  // that are examined, of four lines at most
constexpr std::uint64_t most_windows = 4;

/// What the examined blocks do to one stretch of L2.
struct Stretch {
  double turns = 0;
  std::uint64_t first = 0, last = 0;  ///< first and last examined block that touches it
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
    if (cost.turns <= 0) return;
    const double turns = cost.turns / cost.sectors;
    const std::uint64_t line = geometry_.first_line(false, base);
    for (const LinePiece& piece : geometry_.pieces(cost)) {
      const std::uint64_t number = (line + static_cast<std::uint64_t>(piece.line)) / lines_;
      const auto [found, fresh] = stretches_.try_emplace(number);
      Stretch& stretch = found->second;
      stretch.turns += turns * std::popcount(piece.sectors);
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

/// One in how many of `accesses` is examined, with `lines` a request.
std::size_t step_of(std::uint64_t accesses, double lines) {
  constexpr double usual_lines = 4;
  const double weight = std::max(1.0, lines / usual_lines);
  return static_cast<std::size_t>(static_cast<double>(accesses) * weight / most_accesses) + 1;
}

/// Every n-th block, with n such that the number of accesses is limited.
std::vector<const BlockStream*> chosen(const AccessStreams& streams, const SamplePlan& plan,
                                       double lines) {
  std::vector<const BlockStream*> all;
  std::size_t accesses = 0;
  for (const std::uint64_t block : recorded_plan(plan, streams).blocks()) {
    all.push_back(streams.find(block));
    accesses += accesses_of(streams, *all.back());
  }
  const std::size_t step = step_of(accesses, lines);
  std::vector<const BlockStream*> kept;
  for (std::size_t i = 0; i < all.size(); i += step) kept.push_back(all[i]);
  return kept;
}

/// Sectors that resident blocks request from L2, by stretch and instruction.
class StretchCount {
 public:
  /// Examines one in `every` accesses on average, at random so as not to be in step with loops.
  StretchCount(const AccessStreams& streams, AccessGeometry& geometry, const Gpu& gpu,
               std::size_t every)
      : streams_(streams),
        geometry_(geometry),
        gpu_(gpu),
        every_(every),
        lines_(std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(gpu.l2.slice_bytes) / geometry.line_bytes())),
        all_(streams.hints.size()) {}

  void add(const BlockSynthesis& synthesis, std::uint64_t block) {
    const BlockClass& its = synthesis.classes()[synthesis.class_of(block)];
    const BlockStream* recorded = its.affine ? nullptr : streams_.find(block);
    if (!its.affine && recorded == nullptr) return;  // nobody knows where it goes
    const Extent index = block_index(block, streams_.grid);
    for (std::size_t warp = 0; warp < its.paths.size(); ++warp) {
      const std::vector<std::uint32_t>& path = streams_.paths[its.paths[warp]];
      for (; next_ < path.size(); next_ += 1 + mixed(++looks_) % (2 * every_ - 1)) {
        add(path[next_],
            its.affine
                ? its.warp[warp][next_].at(index)
                : streams_.bases[streams_.warps[recorded->first_warp + warp].first_base + next_]);
      }
      next_ -= path.size();
    }
  }

  [[nodiscard]] std::vector<double> shares() {
    std::sort(parts_.begin(), parts_.end(),
              [](const Part& a, const Part& b) { return a.stretch < b.stretch; });
    std::span<const Part> busiest;
    std::uint64_t most = 0;
    for (std::size_t first = 0; first < parts_.size();) {
      std::size_t end = first;
      std::uint64_t sectors = 0;
      for (; end < parts_.size() && parts_[end].stretch == parts_[first].stretch; ++end)
        sectors += parts_[end].sectors;
      if (sectors > most) busiest = std::span(parts_).subspan(first, end - first);
      most = std::max(most, sectors);
      first = end;
    }
    std::vector<double> shares(all_.size());
    for (const Part& part : busiest) shares[part.instruction] += part.sectors;
    for (std::size_t i = 0; i < shares.size(); ++i)
      shares[i] = all_[i] > 0 ? shares[i] / static_cast<double>(all_[i]) : 0;
    return shares;
  }

 private:
  void add(std::uint32_t shape, std::uint64_t base) {
    const AccessShape& its = streams_.shapes[shape];
    if (its.space != MemorySpace::global && its.space != MemorySpace::generic) return;
    const CacheRoute route = cache_route(its, streams_.hints[its.instruction], gpu_);
    const bool loads = route.action == CacheRoute::Action::load;
    if (loads && route.first != CacheRoute::First::none) return;
    const std::uint64_t line = geometry_.first_line(false, base);
    for (const LinePiece& piece : geometry_.pieces(geometry_.cost(shape, base))) {
      const auto sectors = static_cast<std::uint32_t>(std::popcount(piece.sectors));
      const std::uint64_t number = (line + static_cast<std::uint64_t>(piece.line)) / lines_;
      parts_.push_back({number, its.instruction, sectors});
      all_[its.instruction] += sectors;
    }
  }

  const AccessStreams& streams_;
  AccessGeometry& geometry_;
  const Gpu& gpu_;
  std::size_t every_;
  std::uint64_t lines_;
  struct Part {
    std::uint64_t stretch = 0;
    std::uint32_t instruction = 0, sectors = 0;
  };
  std::vector<std::uint64_t> all_;  ///< sectors by instruction
  std::vector<Part> parts_;
  std::size_t next_ = 0;     ///< index of the next access to examine
  std::uint64_t looks_ = 0;  ///< number examined so far
};

}  // namespace

double hot_turns(const AccessStreams& streams, const SamplePlan& plan, double lines,
                 AccessGeometry& geometry, const Gpu& gpu) {
  const double slice = gpu.l2.slice_bytes;
  const std::vector<const BlockStream*> blocks = chosen(streams, plan, lines);
  if (slice <= 0 || blocks.empty()) return 0;
  SliceSearch search(streams, geometry, slice);
  for (std::size_t i = 0; i < blocks.size(); ++i) search.add(*blocks[i], i);
  double turns = 0, most = 0;
  const double whole = static_cast<double>(plan.size());
  const double each = whole / static_cast<double>(blocks.size());
  for (const auto& [number, stretch] : search.stretches()) {
    turns += each * stretch.turns;
    const double between =
        static_cast<double>(blocks[stretch.last]->block - blocks[stretch.first]->block + 1);
    const double looked = static_cast<double>(stretch.last - stretch.first + 1);
    most = std::max(most, std::min(between / looked, each) * stretch.turns);
  }
  return turns > 0 ? std::min(1.0, most / turns) : 0;
}

std::vector<double> busiest_shares(const AccessStreams& streams, const BlockSynthesis& synthesis,
                                   const MemoryOptions& options, double lines,
                                   AccessGeometry& geometry, const Gpu& gpu) {
  const std::vector<double> none(streams.hints.size());
  const std::uint64_t blocks = volume(streams.grid);
  const std::uint64_t resident = std::uint64_t{std::max(1U, options.blocks_per_sm)} * gpu.sms;
  const std::uint64_t window = std::min(blocks, std::max<std::uint64_t>(1, resident));
  if (gpu.l2.slice_bytes <= 0) return none;
  const std::uint64_t windows = std::min(most_windows, blocks - window + 1);
  std::vector<double> mean(none);
  for (std::uint64_t w = 0; w < windows; ++w) {
    const std::uint64_t first = windows > 1 ? (blocks - window) * w / (windows - 1) : 0;
    std::uint64_t accesses = 0;
    for (std::uint64_t block = first; block < first + window; ++block) {
      if (!synthesis.knows(block)) return none;
      accesses += synthesis.classes()[synthesis.class_of(block)].accesses;
    }
    StretchCount count(streams, geometry, gpu, step_of(accesses * windows, lines));
    for (std::uint64_t block = first; block < first + window; ++block) count.add(synthesis, block);
    const std::vector<double> shares = count.shares();
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += shares[i] / static_cast<double>(windows);
    }
  }
  return mean;
}

}  // namespace forewarp::memory
