// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/profile_sink.h"

#include <algorithm>

#include "base/mixed.h"

namespace forewarp::execution {
namespace {

constexpr std::size_t most_groups = 1 << 14;
constexpr std::uint64_t odd_factor = 0x9e3779b97f4a7c15U;

}  // namespace

LoopMarks::LoopMarks(const Kernel& kernel)
    : flow(kernel),
      loops(kernel, flow, Dominators(flow, Dominators::Direction::forward)),
      header(kernel.instructions.size(), no_loop) {
  for (LoopId id = 0; id < loops.all().size(); ++id) {
    header[flow.blocks()[loops.all()[id].header].first] = id;
  }
}

ProfileSink::ProfileSink(const Program& program, const LoopMarks& marks,
                         const std::unordered_map<std::uint64_t, double>& weights)
    : program_(&program),
      marks_(&marks),
      weights_(&weights),
      instructions_(program.ops.size()),
      branches_(program.ops.size()),
      trips_(marks.loops.all().size()) {}

void ProfileSink::block_started(Block& block) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(running_.size()));
    running_.push_back(std::make_unique<Running>());
    std::vector<Count>& counts = running_.back()->counts;
    counts.resize(program_->ops.size());
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i].loop = marks_->header[i];
  }
  warp_ = nullptr;
  block.sink_slot = free_.back();
  free_.pop_back();
  Running& running = *running_[block.sink_slot];
  const auto weight = weights_->find(block.linear);
  running.weight = weight == weights_->end() ? 1 : weight->second;
  running.warps.resize(block.warps.size());
  for (WarpPath& path : running.warps) path.start(trips_.size());
}

void ProfileSink::WarpPath::start(std::size_t loop_count) {
  signature = 0;
  instructions = 0;
  active = 0;
  last = no_place;
  last_of.fill(no_place);
  loops.resize(loop_count);
}

/// The set of active lanes changes: lanes that ran before remember where they were.
void ProfileSink::WarpPath::change_lanes(LaneMask now, std::uint32_t instruction) {
  signature = mixed(signature ^ mixed(std::uint64_t{now} << 32 | instruction));
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(active, i)) last_of[i] = last;
  }
  active = now;
}

/// The header runs again: lanes inside the loop make another iteration, the others enter it.
void ProfileSink::pass_loop(LoopId loop, bool changed) {
  WarpPath& path = *path_;
  const auto outside = [&](std::uint32_t place) {
    const BlockId block = marks_->flow.block_of(place);
    return block == no_block || !marks_->loops.contains(loop, block);
  };
  LaneMask entering = 0;
  if (!changed) {
    entering = outside(path.last) ? path.active : 0;
  } else {
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(path.active, i) && outside(path.last_of[i])) entering |= lane_bit(i);
    }
  }
  path.loops[loop].pass(path.active, entering, [&](std::uint64_t passes) {
    trips_[loop][passes] += running_now_->weight;
  });
}

void ProfileSink::branched(const Warp& warp, std::uint32_t instruction, LaneMask active,
                           LaneMask taken) {
  if (&warp != warp_) choose(warp);
  const double weight = running_now_->weight;
  BranchCount& count = branches_[instruction];
  count.executed += weight;
  count.active += weight * lanes_in(active);
  count.taken += weight * lanes_in(taken);
  if (taken != 0 && taken != active) count.divergent += weight;
  const std::uint64_t lanes = std::uint64_t{active} << 32 | taken;
  const std::uint64_t places = std::uint64_t{warp.pc} << 32 | instruction;
  path_->signature = mixed(path_->signature ^ (lanes * odd_factor) ^ (places + odd_factor));
}

void ProfileSink::warp_ended(const Warp& warp) {
  Running& running = *running_[warp.block->sink_slot];
  WarpPath& path = running.warps[warp.number];
  for (LoopId loop = 0; loop < trips_.size(); ++loop) {
    path.loops[loop].close([&](std::uint64_t passes) { trips_[loop][passes] += running.weight; });
  }
  const auto found = groups_.find(path.signature);
  if (found != groups_.end()) {
    found->second.warps += running.weight;
  } else if (groups_.size() < most_groups) {
    groups_[path.signature] = {running.weight, path.instructions, warp.block->linear, warp.number};
    group_order_.push_back(path.signature);
  } else {
    left_out_ += running.weight;
  }
}

void ProfileSink::block_ended(const Block& block) {
  Running& running = *running_[block.sink_slot];
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    Count& count = running.counts[i];
    if (count.warps == 0) continue;
    const std::uint64_t active = count.warps * lane_count - count.absent;
    instructions_[i].warps += running.weight * static_cast<double>(count.warps);
    instructions_[i].active += running.weight * static_cast<double>(active);
    instructions_[i].lanes += running.weight * static_cast<double>(active - count.off);
    count.warps = count.absent = count.off = 0;
  }
  warp_ = nullptr;
  BlockTotal& total = block_totals_[block.linear];
  total.all = block.executed;
  for (const WarpPath& path : running.warps)
    total.longest = std::max(total.longest, path.instructions);
  free_.push_back(block.sink_slot);
}

void ProfileSink::merge(const ProfileSink& later) {
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    instructions_[i].warps += later.instructions_[i].warps;
    instructions_[i].active += later.instructions_[i].active;
    instructions_[i].lanes += later.instructions_[i].lanes;
  }
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const BranchCount& count = later.branches_[i];
    BranchCount& mine = branches_[i];
    mine.executed += count.executed;
    mine.active += count.active;
    mine.taken += count.taken;
    mine.divergent += count.divergent;
  }
  for (std::size_t loop = 0; loop < trips_.size(); ++loop) {
    for (const auto& [passes, entries] : later.trips_[loop]) trips_[loop][passes] += entries;
  }
  for (const std::uint64_t signature : later.group_order_) {
    const Group& group = later.groups_.at(signature);
    const auto [at, added] = groups_.try_emplace(signature, group);
    if (added) group_order_.push_back(signature);
    if (!added) at->second.warps += group.warps;
  }
  left_out_ += later.left_out_;
  block_totals_.insert(later.block_totals_.begin(), later.block_totals_.end());
}

void ProfileSink::report(PathProfile& profile) const {
  profile.instructions = instructions_;
  for (std::uint32_t i = 0; i < branches_.size(); ++i) {
    if (branches_[i].executed > 0) profile.branches[i] = branches_[i];
  }
  for (const InstructionCount& count : instructions_) {
    profile.warp_instructions += count.warps;
    profile.thread_instructions += count.lanes;
  }
  for (LoopId loop = 0; loop < trips_.size(); ++loop) profile.loops.push_back({loop, trips_[loop]});
  for (const std::uint64_t signature : group_order_) {
    const Group& group = groups_.at(signature);
    profile.groups.push_back({signature, group.warps, group.instructions, group.block, group.warp});
  }
  std::stable_sort(profile.groups.begin(), profile.groups.end(),
                   [](const PathGroup& a, const PathGroup& b) { return a.warps > b.warps; });
  profile.left_out_warps = left_out_;
}

}  // namespace forewarp::execution
