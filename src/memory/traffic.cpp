// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/traffic.h"

#include <algorithm>

#include "base/normal.h"
namespace forewarp::memory {

void Traffic::add(const AccessCost& cost, double times) {
  requests += times;
  lanes += times * cost.lanes;
  sectors += times * cost.sectors;
  lines += times * cost.lines;
  transactions += times * cost.transactions;
  passes += times * cost.passes;
  tag_passes += times * cost.tag_passes;
  stage += times * cost.stage;
  degree += times * cost.degree;
  turns += times * cost.turns;
  visits += times * cost.visits;
  elsewhere += times * cost.elsewhere;
  if (cost.elsewhere > 0) distant += times;
  most_transactions = std::max(most_transactions, cost.transactions);
  most_passes = std::max(most_passes, cost.passes);
}

void Traffic::add(const Traffic& other, double times) {
  requests += times * other.requests;
  lanes += times * other.lanes;
  sectors += times * other.sectors;
  lines += times * other.lines;
  transactions += times * other.transactions;
  passes += times * other.passes;
  tag_passes += times * other.tag_passes;
  stage += times * other.stage;
  degree += times * other.degree;
  turns += times * other.turns;
  visits += times * other.visits;
  elsewhere += times * other.elsewhere;
  distant += times * other.distant;
  most_transactions = std::max(most_transactions, other.most_transactions);
  most_passes = std::max(most_passes, other.most_passes);
}

TrafficSum::TrafficSum(const AccessStreams& streams, const BlockSynthesis& synthesis,
                       AccessGeometry& geometry)
    : streams_(&streams),
      synthesis_(&synthesis),
      geometry_(&geometry),
      place_(streams.hints.size(), 0),
      of_class_(synthesis.classes().size()),
      repeats_(synthesis.classes().size()) {
  std::vector<bool> accesses(streams.hints.size(), false);
  for (const AccessShape& shape : streams.shapes) accesses[shape.instruction] = true;
  for (std::uint32_t i = 0; i < accesses.size(); ++i) {
    if (!accesses[i]) continue;
    place_[i] = static_cast<std::uint32_t>(accessing_.size());
    accessing_.push_back(i);
  }
}

void TrafficSum::add(std::uint32_t shape, std::uint64_t base, double times, BlockTraffic& traffic) {
  const AccessShape& its = streams_->shapes[shape];
  const AccessCost& cost = geometry_->cost(shape, base);
  InstructionTraffic& instruction = traffic.instructions[place_[its.instruction]];
  const bool shared = its.space == MemorySpace::shared;
  (shared ? instruction.shared : instruction.memory).add(cost, times);
  if (shared) traffic.passes += times * cost.passes;
  traffic.sectors += times * cost.sectors;
  traffic.pieces += times * static_cast<double>(cost.piece_count);
}

void TrafficSum::add_warps(const BlockStream& block, BlockTraffic& traffic) {
  for (const WarpStream& warp : streams_->warps_of(block)) {
    const std::vector<std::uint32_t>& path = streams_->paths[warp.path];
    for (std::size_t i = 0; i < path.size(); ++i)
      add(path[i], streams_->bases[warp.first_base + i], 1, traffic);
  }
}

void TrafficSum::add_tally(const BlockStream& block, BlockTraffic& traffic) {
  for (const AccessTally& entry : streams_->tallies[block.tally])
    add(entry.shape, entry.phase, static_cast<double>(entry.times), traffic);
}

/// Whether the blocks of the class all cost the same: their addresses differ by multiples of the
/// cost period, and their counted accesses are equal.
bool TrafficSum::repeats(const BlockClass& block_class) const {
  if (!block_class.affine) return false;
  const auto period = static_cast<std::int64_t>(geometry_->period());
  for (const std::vector<AffineBase>& warp : block_class.warp) {
    for (const AffineBase& base : warp) {
      for (const std::int64_t step : base.step) {
        if (step % period != 0) return false;
      }
    }
  }
  const BlockStream& first = streams_->blocks[block_class.members.front()];
  return std::all_of(
      block_class.members.begin(), block_class.members.end(), [&](std::uint32_t member) {
        const BlockStream& block = streams_->blocks[member];
        return block.tally == first.tally && block.recorded_share == first.recorded_share;
      });
}

const BlockTraffic& TrafficSum::of(std::size_t recorded) {
  const BlockStream& block = streams_->blocks[recorded];
  const std::uint32_t its_class = synthesis_->class_of(block.block);
  if (of_class_[its_class]) return *of_class_[its_class];
  BlockTraffic traffic;
  traffic.instructions.resize(accessing_.size());
  add_warps(block, traffic);
  add_tally(block, traffic);
  if (!repeats_[its_class]) repeats_[its_class] = repeats(synthesis_->classes()[its_class]);
  if (*repeats_[its_class]) return of_class_[its_class].emplace(std::move(traffic));
  scratch_ = std::move(traffic);
  return scratch_;
}

BlockTraffic TrafficSum::grid(const SamplePlan& plan, double& error) {
  const SamplePlan recorded = recorded_plan(plan, *streams_);
  BlockTraffic sum;
  sum.instructions.resize(accessing_.size());
  std::vector<std::pair<std::uint64_t, std::pair<double, double>>> values;
  for (const Stratum& stratum : recorded.strata) {
    for (const std::uint64_t number : stratum.blocks) {
      const BlockStream* block = streams_->find(number);
      const BlockTraffic& one = of(static_cast<std::size_t>(block - streams_->blocks.data()));
      const double whole = 1 / std::max(block->recorded_share, 1e-9);
      const double times = stratum.weight() * whole;
      for (std::size_t i = 0; i < one.instructions.size(); ++i) {
        sum.instructions[i].memory.add(one.instructions[i].memory, times);
        sum.instructions[i].shared.add(one.instructions[i].shared, times);
      }
      sum.sectors += times * one.sectors;
      sum.passes += times * one.passes;
      sum.pieces += times * one.pieces;
      values.push_back({number, {one.sectors * whole, one.passes * whole}});
    }
  }
  std::sort(values.begin(), values.end());
  error = 0;
  for (const bool passes : {false, true}) {
    std::vector<double> series;
    for (const auto& [block, pair] : values) series.push_back(passes ? pair.second : pair.first);
    if (series.empty()) continue;
    const Estimate estimate = estimate_total(recorded, series);
    if (estimate.total > 0) error = std::max(error, two_sigma * estimate.error / estimate.total);
  }
  return sum;
}

SamplePlan recorded_plan(const SamplePlan& plan, const AccessStreams& streams) {
  SamplePlan result;
  const bool by_kind = !plan.work.empty();  // kinds of blocks, which say nothing of each other
  if (by_kind) {
    result.kinds = plan.kinds;
    result.work = plan.work;
  }
  std::uint64_t waiting = 0;  // blocks of strata without recorded blocks
  for (const Stratum& stratum : plan.strata) {
    Stratum kept;
    kept.size = stratum.size + waiting;
    if (by_kind) kept.kind = stratum.kind;
    for (const std::uint64_t block : stratum.blocks) {
      if (streams.find(block) != nullptr) kept.blocks.push_back(block);
    }
    waiting = kept.blocks.empty() ? kept.size : 0;
    if (!kept.blocks.empty()) result.strata.push_back(std::move(kept));
  }
  if (!result.strata.empty()) result.strata.back().size += waiting;
  return result;
}

}  // namespace forewarp::memory
