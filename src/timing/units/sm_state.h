// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "binding/issue_rules.h"
#include "timing/machine/timed_kernel.h"
#include "timing/recorders/recorder.h"
#include "timing/units/block_supply.h"
#include "timing/units/code_supply.h"
#include "timing/units/memory_unit.h"
#include "timing/units/phase_barriers.h"
#include "timing/units/sub_core.h"

namespace forewarp::timing {

/// A place for a resident block.
struct BlockPlace {
  std::uint64_t number = 0;
  BlockBarrier<Ticks> barrier;
  bool used = false;
  PhaseBarriers phases;
};

/// The end of a block, and how many instructions had issued by then.
struct BlockMark {
  Ticks at = 0;
  std::uint64_t issued = 0;
};

/// All units of an SM, which the stages work on, and how far the SM has come.
struct SmState {
  SmState(const SmMachine& sm, const TimedKernel& code_of, BlockSupply& blocks_of,
          DevicePath* device, std::uint32_t resident, std::uint32_t seed_of, Recorder* recorded_by)
      : machine(&sm),
        kernel(&code_of),
        rules{.cycle = cycle,
              .store_gap = sm.store_gap,
              .load_gaps = sm.load_gaps,
              .barrier_seen = sm.barrier_seen,
              .ordered = code_of.ordered_barriers},
        supply(&blocks_of),
        recorder(recorded_by),
        memory(sm, device),
        code(code_of.code_lines, sm.code_cache_lines, sm.code_line_time),
        next(sm.schedulers, never),
        cores(sm.schedulers, SubCore(sm)),
        common_units(sm.pipes.size(), 0),
        blocks(resident),
        seed(seed_of) {}

  /// When pipe `unit`, of `core` or of the whole SM, is free.
  [[nodiscard]] Ticks& free_at(SubCore& core, std::uint8_t unit) {
    return machine->pipes[unit].common ? common_units[unit] : core.units[unit];
  }

  /// Finds the next slot of a scheduler in which one of its warps may issue.
  void find_next(std::uint32_t scheduler, Ticks not_before) {
    next[scheduler] = cores[scheduler].next_slot(not_before, machine->issue_interval);
  }

  const SmMachine* machine;
  const TimedKernel* kernel;
  WarpRules<Ticks> rules;
  BlockSupply* supply;
  Recorder* recorder;  ///< nullptr: nothing is recorded
  MemoryUnit memory;
  CodeSupply code;
  std::vector<Ticks> next;  ///< by scheduler: the next slot in which one of its warps may issue
  std::vector<SubCore> cores;
  std::vector<Ticks> common_units;  ///< when each pipe of the whole SM is free
  std::vector<BlockPlace> blocks;
  std::vector<BlockMark> marks;  ///< ends of the first blocks, two rounds of resident ones
  std::uint32_t seed, turn = 0, serial = 0;
  std::uint64_t issued = 0, finished = 0, issued_at_last_start = 0;
  Ticks end = 0, last_start = 0;
};

}  // namespace forewarp::timing
