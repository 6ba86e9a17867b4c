// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/mixed.h"
#include "base/statistics.h"

namespace forewarp::execution {
namespace {

/// A range of coordinates along one axis: the first, the inner or the last ones.
struct Span {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

std::array<Span, 3> spans_of(std::uint32_t extent) {
  if (extent == 1) return {Span{0, 1}, Span{0, 0}, Span{0, 0}};
  return {Span{0, 1}, Span{1, extent - 2U}, Span{extent - 1U, 1}};
}

/// A box of blocks of one kind, by place in the grid.
struct Box {
  std::array<Span, 3> axis;
  [[nodiscard]] Extent extent() const { return {axis[0].count, axis[1].count, axis[2].count}; }
  [[nodiscard]] std::uint64_t linear(std::uint64_t index, const Extent& grid) const {
    Extent at = block_index(index, extent());
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += axis[i].first;
    return block_number(at, grid);
  }
};

std::vector<Box> boxes_of(const Extent& grid) {
  std::vector<Box> boxes;
  for (const Span& z : spans_of(grid[2])) {
    for (const Span& y : spans_of(grid[1])) {
      for (const Span& x : spans_of(grid[0])) {
        const Box box{{x, y, z}};
        if (volume(box.extent()) != 0) boxes.push_back(box);
      }
    }
  }
  return boxes;
}

/// Draws two different members of [first, end), or all there are; the middle if `one_is_enough`.
std::vector<std::uint64_t> draw(std::uint64_t first, std::uint64_t end, bool one_is_enough) {
  const std::uint64_t size = end - first;
  if (one_is_enough) return {first + size / 2};
  if (size <= 2) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = first; i < end; ++i) all.push_back(i);
    return all;
  }
  const std::uint64_t one = mixed(first * 0x9e3779b97f4a7c15U + size) % size;
  const std::uint64_t other = (one + 1 + mixed(one + size) % (size - 1)) % size;
  return {first + std::min(one, other), first + std::max(one, other)};
}

/// Divides a box into parts of consecutive blocks, each with two executed blocks; a count of one
/// gives a single part with a single block.
void add_strata(const Box& box, std::uint32_t kind, const Extent& grid, std::uint64_t count,
                std::vector<Stratum>& strata) {
  const std::uint64_t size = volume(box.extent());
  const std::uint64_t parts = std::clamp<std::uint64_t>(count / 2, 1, (size + 1) / 2);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t first = size / parts * part + std::min(part, size % parts);
    const std::uint64_t end = first + size / parts + (part < size % parts ? 1 : 0);
    Stratum stratum;
    stratum.size = end - first;
    stratum.kind = kind;
    for (const std::uint64_t i : draw(first, end, count < 2)) {
      stratum.blocks.push_back(box.linear(i, grid));
    }
    std::sort(stratum.blocks.begin(), stratum.blocks.end());
    strata.push_back(std::move(stratum));
  }
}

}  // namespace

std::vector<std::uint64_t> SamplePlan::blocks() const {
  std::vector<std::uint64_t> all;
  for (const Stratum& stratum : strata)
    all.insert(all.end(), stratum.blocks.begin(), stratum.blocks.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::uint64_t SamplePlan::size() const {
  std::uint64_t size = 0;
  for (const Stratum& stratum : strata) size += stratum.size;
  return size;
}

SamplePlan plan_sample(const Extent& grid, std::uint64_t count) {
  if (count >= volume(grid)) return plan_all(grid);
  SamplePlan plan;
  const std::vector<Box> boxes = boxes_of(grid);
  std::uint64_t largest = 0;
  for (const Box& box : boxes) largest = std::max(largest, volume(box.extent()));
  std::uint32_t kind = 0;
  for (const Box& box : boxes) {
    const double share =
        static_cast<double>(volume(box.extent())) / static_cast<double>(volume(grid));
    const auto mine = static_cast<std::uint64_t>(std::llround(share * static_cast<double>(count)));
    const std::uint64_t least =
        count < 2 * boxes.size() && (volume(box.extent()) < largest || count <= boxes.size()) ? 1
                                                                                              : 2;
    add_strata(box, kind++, grid, std::max(least, mine), plan.strata);
  }
  return plan;
}

std::vector<std::uint64_t> probing_blocks(const Extent& grid) {
  const auto places = [](const Span& span) -> std::vector<std::uint32_t> {
    if (span.count == 1) return {span.first};
    const std::uint32_t low = span.first + span.count / 3;
    return {low, std::max(low + 1, span.first + span.count * 2U / 3U)};
  };
  std::vector<std::uint64_t> blocks;
  for (const Box& box : boxes_of(grid)) {
    for (const std::uint32_t z : places(box.axis[2])) {
      for (const std::uint32_t y : places(box.axis[1])) {
        for (const std::uint32_t x : places(box.axis[0]))
          blocks.push_back(block_number({x, y, z}, grid));
      }
    }
  }
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

SamplePlan plan_all(const Extent& grid) {
  SamplePlan plan;
  Stratum all;
  all.size = volume(grid);
  for (std::uint64_t i = 0; i < all.size; ++i) all.blocks.push_back(i);
  plan.strata.push_back(std::move(all));
  return plan;
}

namespace {

/// The one of the places [first, end) whose work is nearest to their mean.
std::uint64_t nearest_to_mean(const std::vector<BlockPlace>& places, std::uint64_t first,
                              std::uint64_t end) {
  double blocks = 0, work = 0;
  for (std::uint64_t i = first; i < end; ++i) {
    blocks += static_cast<double>(places[i].size);
    work += static_cast<double>(places[i].size) * places[i].work;
  }
  const double mean = work / std::max(1.0, blocks);
  std::uint64_t best = first;
  for (std::uint64_t i = first; i < end; ++i) {
    if (std::fabs(places[i].work - mean) < std::fabs(places[best].work - mean)) best = i;
  }
  return best;
}

/// Divides the places of one kind, of known work, into parts with one executed block each.
void add_known_parts(const std::vector<BlockPlace>& places, std::uint32_t kind, std::uint64_t count,
                     std::vector<Stratum>& strata) {
  const std::uint64_t size = places.size(), parts = std::clamp<std::uint64_t>(count, 1, size);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t first = size * part / parts, end = size * (part + 1) / parts;
    Stratum stratum{0, kind, {places[nearest_to_mean(places, first, end)].block}};
    for (std::uint64_t i = first; i < end; ++i) stratum.size += places[i].size;
    strata.push_back(std::move(stratum));
  }
}

/// Divides the places of one kind into parts with two executed blocks each.
void add_parts(const std::vector<BlockPlace>& places, std::uint32_t kind, std::uint64_t count,
               std::vector<Stratum>& strata) {
  const std::uint64_t size = places.size();
  const std::uint64_t parts = std::clamp<std::uint64_t>(count / 2, 1, (size + 1) / 2);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t first = size * part / parts, end = size * (part + 1) / parts;
    Stratum stratum;
    stratum.kind = kind;
    for (std::uint64_t i = first; i < end; ++i) stratum.size += places[i].size;
    for (const std::uint64_t i : draw(first, end, false)) stratum.blocks.push_back(places[i].block);
    strata.push_back(std::move(stratum));
  }
}

}  // namespace

SamplePlan plan_kinds(const BlockKinds& kinds, const std::vector<double>& work,
                      std::uint64_t count) {
  double all = 0;
  for (std::size_t k = 0; k < work.size(); ++k)
    all += work[k] * static_cast<double>(kinds.kinds[k].blocks);
  SamplePlan plan;
  plan.kinds = kinds;
  plan.work = work;
  for (std::uint32_t k = 0; k < kinds.kinds.size(); ++k) {
    const BlockKind& kind = kinds.kinds[k];
    const double share = work[k] * static_cast<double>(kind.blocks) / std::max(all, 1e-9);
    const auto mine = static_cast<std::uint64_t>(std::llround(share * static_cast<double>(count)));
    const bool known = std::all_of(kind.places.begin(), kind.places.end(),
                                   [](const BlockPlace& place) { return place.work > 0; });
    (known ? add_known_parts : add_parts)(kind.places, k, mine, plan.strata);
  }
  return plan;
}

namespace {

/// Sums over consecutive strata of one box.
struct Steps {
  double squares = 0;  ///< of the differences of neighbouring means
  double pairs = 0, size = 0, strata = 0, executed = 0, mean = 0;

  /// Variance of the sum over all blocks of the box. A single executed block says nothing about the
  /// others: they are assumed to vary as all executed blocks do (`pooled`); of a kind that was
  /// found by its work (`by_kind`), as much as that work may.
  [[nodiscard]] double variance(double pooled, bool by_kind) const {
    constexpr double alike = 0.1;
    if (pairs == 0) {
      const double each = by_kind ? std::pow(alike * mean, 2) : pooled;
      return executed == 1 ? size * size * (1 - 1 / size) * each : 0;
    }
    return size * size * (1 - executed / size) * squares / (2 * pairs) / strata;
  }
};

}  // namespace

Estimate estimate_total(const SamplePlan& plan, const std::vector<double>& values) {
  const std::vector<std::uint64_t> blocks = plan.blocks();
  const auto value_of = [&](std::uint64_t block) {
    const auto at = std::lower_bound(blocks.begin(), blocks.end(), block) - blocks.begin();
    return values[static_cast<std::size_t>(at)];
  };
  Estimate estimate;
  const bool by_kind = plan.kinds.looked_at > 0 && !plan.work.empty();
  const double pooled = variance_about(mean_of(values), values);
  double inside = 0, between = 0, last_mean = 0;
  Steps steps;
  const Stratum* last = nullptr;
  for (const Stratum& stratum : plan.strata) {
    const auto n = static_cast<double>(stratum.blocks.size()),
               size = static_cast<double>(stratum.size);
    double sum = 0, squares = 0;
    for (const std::uint64_t block : stratum.blocks) sum += value_of(block);
    const double mean = sum / n;
    for (const std::uint64_t block : stratum.blocks) squares += std::pow(value_of(block) - mean, 2);
    estimate.total += size * mean;
    if (n > 1) inside += size * size * (1 - n / size) * squares / (n - 1) / n;
    if (last == nullptr || last->kind != stratum.kind) {
      between += steps.variance(pooled, by_kind);
      steps = {};
    } else {
      steps.squares += std::pow(mean - last_mean, 2);
      steps.pairs += 1;
    }
    steps.size += size;
    steps.strata += 1;
    steps.executed += n;
    steps.mean = mean;
    last = &stratum;
    last_mean = mean;
  }
  between += steps.variance(pooled, by_kind);
  estimate.error = std::sqrt(std::max(inside, between));
  return estimate;
}

}  // namespace forewarp::execution
