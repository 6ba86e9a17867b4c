// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "timing/machine/policy.h"
#include "timing/machine/ticks.h"

namespace forewarp::timing {

inline constexpr std::uint8_t no_unit = 0xff;
inline constexpr std::uint32_t no_access = 0xffffffff;

/// A unit that each warp instruction occupies for some cycles.
struct Pipe {
  bool common = false;       ///< one for the whole SM; else one per scheduler
  std::uint32_t queued = 0;  ///< of variable latency that may wait in front; others wait at issue
};

/// A source register: the bank that holds it and the operand slot that it is read for.
struct PortRead {
  std::uint8_t bank = 0, slot = 0;
  bool keep = false;  ///< the operand cache keeps it
  std::uint16_t number = 0;
};

/// One instruction as the SM sees it: times, units and dependences; the opcode is gone.
struct TimedInstruction {
  Ticks spacing = 0, spacing_taken = 0;  ///< to the warp's next issue; where it branches
  Ticks latency = 0;                     ///< issue to the issue of a reader
  Ticks read_release = 0;                ///< issue to the release of the read barrier
  Ticks port = 0;                        ///< holds its scheduler's issue port beyond its slot
  std::array<Ticks, 2> taken{};          ///< for which it occupies units[k]
  std::array<std::uint8_t, 2> units{no_unit, no_unit};
  std::uint8_t write_barrier = 7, read_barrier = 7, wait_mask = 0;
  std::int8_t waits_on_scoreboard = -1;
  std::uint8_t scoreboard_left = 0;
  std::uint8_t port_reads = 0;
  bool dual_with_next = false;
  bool with_next = false;  ///< no control words: its reuse flags say that the next goes with it
  bool variable = false;   ///< variable latency: a reader waits for a barrier or the scoreboard
  bool is_barrier = false;
  bool has_events = false;       ///< uses barriers in shared memory or copies in bulk
  bool is_product = false;       ///< of a warp group: runs beside the warp
  bool ends_group = false;       ///< .. and is the last of its group
  std::int8_t groups_left = -1;  ///< waits until at most so many groups of products run
  Ticks operands = 0;            ///< .. time of shared memory for its matrices
  bool is_branch = false, is_load = false, is_store = false;
  std::uint32_t access = no_access;  ///< into TimedKernel::accesses
  std::uint32_t constant_line = no_access;
  std::uint32_t code_line = 0;
  std::uint32_t reads = 0, writes = 0;            ///< into TimedKernel::slots
  std::uint16_t read_count = 0, write_count = 0;  ///< register slots of the scoreboard
  std::array<PortRead, 3> ports{};
};

/// What one memory instruction occupies on the way to its data. Bounds of draws are out of 2^32.
struct TimedAccess {
  Ticks collect = 0;      ///< for which the sub-core's collector reads its registers
  Ticks leave = 0;        ///< issue to leaving the queue when nothing is in the way
  Ticks after = 0;        ///< leaving to the reader's issue on a hit in L1 or shared memory
  Ticks interface = 0;    ///< for which it occupies the SM's memory interface
  Ticks data = 0;         ///< for which it occupies the data stage
  Ticks more_passes = 0;  ///< for passes after the first, which delay the result
  std::uint64_t none = 0, l1 = 0, l2 = 0;  ///< a draw below: no request, L1, L2; else memory
  Ticks extra_l2 = 0, extra_memory = 0;    ///< latency beyond `after`
  Ticks l2_port = 0;                       ///< at the SM's port to L2, if it goes there
  Ticks memory = 0;                        ///< at the SM's share of device memory, if it goes there
  double memory_bytes = 0;
  Ticks slice = 0;  ///< at the busiest slice of L2, if it goes there
  double slice_cycles = 0;
  Ticks written = 0;  ///< of a store, at what L2 takes in from all SMs
  double written_cycles = 0;
  bool is_store = false, is_memory = false;
  // Copies in bulk.
  bool is_copy = false;
  Ticks engine = 0;  ///< for which it occupies the copy engine
};

/// A kernel lowered for one SM.
struct TimedKernel {
  std::vector<TimedInstruction> instructions;
  std::vector<TimedAccess> accesses;
  std::vector<std::uint16_t> slots;  ///< register slots, of reads and writes of all instructions
  std::size_t slot_count = 0;        ///< registers that the scoreboard tracks; 0: it has none
  std::uint32_t code_lines = 0;
  bool ordered_barriers = false;  ///< some instruction waits for "at most n outstanding"
};

/// The SM as numbers.
struct SmMachine {
  std::uint32_t schedulers = 1;
  Ticks issue_interval = cycle;
  std::vector<Pipe> pipes;
  PolicyChoice policy;
  std::uint32_t memory_queue = 0;         ///< instructions per sub-core; 0: no limit
  std::uint32_t sm_requests = 0;          ///< requests inside the SM's memory unit; 0: no limit
  Ticks store_gap = 0;                    ///< least time between two stores of one warp
  std::vector<Ticks> load_gaps;           ///< least time after the first, second .. load in a row
  Ticks refill = 0, start = 0;            ///< a block's end to the next start, to its first issue
  Ticks warp_start = 0, block_start = 0;  ///< between starts of a block's warps; of blocks
  std::vector<Ticks> device_delays;       ///< extra latency of device memory at loads 0 to 1
  Ticks store_backlog = 0;  ///< a store waits while those posted before it need longer than this
  std::uint32_t banks = 0, bank_reads = 0;  ///< register file, reads per cycle; 0 banks: no limit
  std::uint32_t read_window = 3;            ///< cycles in which an instruction reads its registers
  std::uint32_t to_allocation = 2;          ///< cycles from issue to allocation; then come those
  Ticks barrier_seen = 2 * cycle;           ///< issue to when a wait sees the barrier that it set
  std::uint32_t constant_lines = 0;
  Ticks constant_miss = 0, constant_hold = 0;
  Ticks phase_wake = 0;  ///< end of a phase to the next instruction of a warp that waits for it
  Ticks jump_fetches =
      0;  ///< time lost to wrong fetches behind a taken branch; 0: fetching never limits
  Ticks fetched_ahead = 0;             ///< time to fetch what fills one warp's buffer
  std::uint32_t code_cache_lines = 0;  ///< of the SM's instruction cache; 0: no limit
  Ticks code_line_time = 0;
};

}  // namespace forewarp::timing
