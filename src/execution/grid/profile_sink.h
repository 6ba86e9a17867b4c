// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "analysis/loops.h"
#include "execution/grid/block_loads.h"
#include "execution/grid/loop_entries.h"
#include "execution/grid/path_profile.h"
#include "execution/warp/warp_runner.h"

namespace forewarp::execution {

/// Loop headers, to count iterations while a kernel runs.
struct LoopMarks {
  explicit LoopMarks(const Kernel& kernel);

  ControlFlow flow;
  Loops loops;
  std::vector<LoopId> header;  ///< by instruction: the loop whose header it is, else no_loop
};

/// Sums events of warps into a PathProfile, weighted by block.
class ProfileSink {
 public:
  ProfileSink(const Program& program, const LoopMarks& marks,
              const std::unordered_map<std::uint64_t, double>& weights);

  [[nodiscard]] ProfileSink empty() const { return ProfileSink(*program_, *marks_, *weights_); }
  void merge(const ProfileSink& later);

  void block_started(Block& block);
  void executed(const Warp& warp, std::uint32_t instruction, LaneMask active, LaneMask lanes) {
    if (&warp != warp_) choose(warp);
    Count& count = counts_[instruction];
    ++count.warps;
    const bool changed = active != path_->active;
    if (changed) path_->change_lanes(active, instruction);
    if (active != all_lanes) count.absent += missing_lanes(active, all_lanes);
    if (lanes != active) count.off += missing_lanes(lanes, active);
    if (count.loop != no_loop) pass_loop(count.loop, changed);
    path_->last = instruction;
    ++path_->instructions;
  }
  void branched(const Warp& warp, std::uint32_t instruction, LaneMask active, LaneMask taken);
  void accessed(const Warp&, const MemoryAccess&) {}
  void warp_ended(const Warp& warp);
  void block_ended(const Block& block);

  /// Fills the counts of a profile.
  void report(PathProfile& profile) const;
  /// Of each executed block, by its linear number.
  [[nodiscard]] const std::map<std::uint64_t, BlockTotal>& block_totals() const {
    return block_totals_;
  }

 private:
  struct Count {
    std::uint64_t warps = 0;
    std::uint64_t absent = 0;  ///< lanes that were not active
    std::uint64_t off = 0;     ///< active lanes whose guard failed
    LoopId loop = no_loop;     ///< loop that begins at this instruction
  };
  static constexpr std::uint32_t no_place = 0xffffffff;
  struct WarpPath {
    std::uint64_t signature = 0;
    std::uint64_t instructions = 0;
    LaneMask active = 0;                              ///< lanes that ran the last instruction
    std::uint32_t last = no_place;                    ///< that instruction
    std::array<std::uint32_t, lane_count> last_of{};  ///< of each other lane: its last instruction
    std::vector<LoopEntries> loops;  ///< all closed when the warp ends, ready for the next warp

    void start(std::size_t loop_count);
    void change_lanes(LaneMask now, std::uint32_t instruction);
  };
  struct Running {
    double weight = 1;
    std::vector<Count> counts;
    std::vector<WarpPath> warps;
  };
  struct Group {
    double warps = 0;
    std::uint64_t instructions = 0, block = 0;
    std::uint32_t warp = 0;
  };

  [[nodiscard]] static std::uint64_t missing_lanes(LaneMask some, LaneMask all) {
    return lanes_in(all & ~some);
  }
  /// Makes `warp` the source of the following events.
  void choose(const Warp& warp) {
    running_now_ = running_[warp.block->sink_slot].get();
    counts_ = running_now_->counts.data();
    path_ = &running_now_->warps[warp.number];
    warp_ = &warp;
  }
  void pass_loop(LoopId loop, bool changed);

  const Program* program_;
  const LoopMarks* marks_;
  const std::unordered_map<std::uint64_t, double>* weights_;
  std::vector<std::unique_ptr<Running>> running_;  ///< by Block::sink_slot
  std::vector<std::uint32_t> free_;
  const Warp* warp_ = nullptr;  ///< source of the current events; the next three belong to it
  Running* running_now_ = nullptr;
  Count* counts_ = nullptr;
  WarpPath* path_ = nullptr;
  std::vector<InstructionCount> instructions_;
  std::vector<BranchCount> branches_;  ///< by instruction
  std::vector<std::map<std::uint64_t, double>> trips_;
  std::unordered_map<std::uint64_t, Group> groups_;
  std::vector<std::uint64_t> group_order_;
  double left_out_ = 0;
  std::map<std::uint64_t, BlockTotal> block_totals_;
};

}  // namespace forewarp::execution
