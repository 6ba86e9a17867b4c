// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "binding/issue_rules.h"
#include "timing/machine/cause.h"
#include "timing/machine/timed_kernel.h"
#include "timing/recorders/recorder.h"
#include "timing/units/issue_policy.h"
#include "timing/machine/stream.h"
#include "timing/units/code_supply.h"
#include "timing/units/constant_cache.h"
#include "timing/units/memory_unit.h"
#include "timing/units/register_ports.h"
#include "timing/units/server.h"

namespace forewarp::timing {

/// The warps of a block, by number in the block.
using BlockPlan = std::vector<const Stream*>;

/// Hands out the blocks of a grid, or an SM's part of them, in order, one after the other.
class BlockSupply {
 public:
  /// `interval`: between the starts of two blocks.
  explicit BlockSupply(std::vector<const BlockPlan*> kinds, std::uint64_t blocks,
                       Ticks interval = 0)
      : kinds_(std::move(kinds)), blocks_(blocks), interval_(interval) {}

  [[nodiscard]] bool empty() const { return next_ == blocks_; }
  /// The next block's number and warps, and when it may start: not before `at`.
  struct Work {
    std::uint64_t number = 0;
    const BlockPlan* plan = nullptr;
    Ticks start = 0;
  };
  Work take(Ticks at) {
    const std::uint64_t number = next_++;
    return {number, kinds_[number % kinds_.size()], front_end_.take(at, interval_)};
  }

 private:
  std::vector<const BlockPlan*> kinds_;
  std::uint64_t blocks_, next_ = 0;
  Ticks interval_;
  Server front_end_;
};

/// One SM. Goes from issue to issue: step() makes the next one happen.
class Sm {
 public:
  static constexpr std::size_t most_warps = 64;  ///< of a scheduler

  Sm(const SmMachine& machine, const TimedKernel& kernel, BlockSupply& supply, DevicePath* device,
     std::uint32_t resident, std::uint32_t seed, Recorder* recorder);

  /// Gives it a first block, if one is left and a place is free.
  bool start_block(Ticks at);

  /// When something may issue next; `never` when all is done.
  [[nodiscard]] Ticks next() const { return next_; }
  void step();

  [[nodiscard]] Ticks end() const { return end_; }
  [[nodiscard]] Ticks drained() const;
  [[nodiscard]] std::uint64_t issued() const { return issued_; }
  [[nodiscard]] std::uint64_t finished() const { return finished_; }
  /// Instructions issued when a block was through, and when that was.
  struct Mark {
    Ticks at = 0;
    std::uint64_t issued = 0;
  };
  /// Of the first two rounds of blocks.
  [[nodiscard]] const std::vector<Mark>& marks() const { return marks_; }
  [[nodiscard]] Ticks last_start() const { return last_start_; }
  [[nodiscard]] std::uint64_t issued_at_last_start() const { return issued_at_last_start_; }

 private:
  struct Warp {
    Cursor cursor;
    IssueState<Ticks, Cause> state;
    Ticks issued = 0;     ///< its last instruction's issue slot ended
    Ticks own_ready = 0;  ///< when nothing of its own kept it any more
    std::uint32_t draw = 0, block = 0, number = 0, code_line = 0xffffffff;
    Cause wait = Cause::idle;   ///< what it waits for by itself
    Cause unit = Cause::issue;  ///< .. and in front of a unit; issue: none
    bool at_barrier = false;
  };

  struct SubCore {
    explicit SubCore(const SmMachine& machine)
        : policy(machine.policy),
          ports(machine),
          constants(machine.constant_lines),
          units(machine.pipes.size(), 0) {
      ready.fill(never);
    }
    std::array<Ticks, most_warps> ready{};
    std::array<std::uint32_t, most_warps> age{};
    std::array<Warp, most_warps> warps;
    std::uint64_t used = 0;  ///< places with a warp
    std::uint32_t resident = 0, places = 0;
    Ticks next = never;       ///< when somebody may issue
    Ticks port = 0;           ///< the issue port is free again
    bool more_ready = false;  ///< after an issue: others were ready too
    IssuePolicy policy;
    RegisterPorts ports;
    ConstantCache constants;
    std::vector<Ticks> units;  ///< when each pipe of its own is free
    Ticks fetched = 0;         ///< what was issued by now had been fetched until then
    Ticks recorded = 0;        ///< the recorder knows its time until then
  };

  struct Block {
    std::uint64_t number = 0;
    BlockBarrier<Ticks> barrier;
    bool used = false;
  };

  void place_warp(const Stream& stream, std::uint32_t block, std::uint32_t number, Ticks at);
  [[nodiscard]] std::uint32_t emptiest();
  void hold_for_fetch(SubCore& core, Ticks now);
  bool issue_from(SubCore& core, std::uint32_t scheduler, Ticks now);
  [[nodiscard]] Ticks admitted(SubCore& core, std::uint32_t scheduler, std::uint32_t place,
                               Ticks now, Cause& cause, bool second = false);
  void issue_second(SubCore& core, std::uint32_t scheduler, std::uint32_t place, Ticks now);
  void issue(SubCore& core, std::uint32_t scheduler, std::uint32_t place, Ticks now);
  void fetch(SubCore& core, Ticks now, bool jumps) const;
  void take_units(SubCore& core, const TimedInstruction& instruction, Ticks now);
  void complete(SubCore& core, std::uint32_t scheduler, Warp& warp, std::uint32_t place,
                const TimedInstruction& instruction, Ticks now);
  void go_on(SubCore& core, std::uint32_t place, const TimedInstruction& instruction, bool jumps,
             Ticks now);
  [[nodiscard]] Ticks earliest(Warp& warp);
  [[nodiscard]] bool sees_fresh(SubCore& core, std::uint32_t place, Ticks now);
  void arrive(SubCore& core, std::uint32_t place, Ticks at);
  void release_barrier(std::uint32_t block);
  [[nodiscard]] IssueSlots slots_of(std::uint32_t index) const;
  void leave(SubCore& core, std::uint32_t place, Ticks now);
  [[nodiscard]] static Cause wait_of_others(const SubCore& core);
  void record(SubCore& core, std::uint32_t scheduler, const Warp& warp, std::uint32_t index,
              Ticks now);
  void find_next(SubCore& core, Ticks not_before);
  void find_next();

  const SmMachine* machine_;
  const TimedKernel* kernel_;
  WarpRules<Ticks> rules_;
  BlockSupply* supply_;
  Recorder* recorder_;
  MemoryUnit memory_;
  CodeSupply code_;
  std::vector<SubCore> cores_;
  std::vector<Ticks> common_units_;
  std::vector<Block> blocks_;
  std::vector<Mark> marks_;
  std::uint32_t seed_, turn_ = 0, serial_ = 0;
  std::uint64_t issued_ = 0, finished_ = 0, issued_at_last_start_ = 0;
  Ticks next_ = never, end_ = 0, last_start_ = 0;
  std::uint32_t next_core_ = 0, last_core_ = 0;  ///< of the next step, and of the last one
};

}  // namespace forewarp::timing
