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

/// A unit that instructions take for a while.
struct Pipe {
  bool common = false;       ///< one for the whole SM, else one per scheduler
  std::uint32_t queued = 0;  ///< of variable latency that wait in front of it; others at issue
};

/// A register that the collector reads: where it lies and where it goes.
struct PortRead {
  std::uint8_t bank = 0, slot = 0;
  bool keep = false;  ///< stays in the operand cache
  std::uint16_t number = 0;
};

/// One instruction as the SM sees it: times, units and dependences, no opcodes.
struct TimedInstruction {
  Ticks spacing = 0, spacing_taken = 0;  ///< to the warp's next instruction
  Ticks latency = 0;                     ///< issue to the issue of a reader
  Ticks read_release = 0;                ///< issue to the release of the read barrier
  Ticks port = 0;                        ///< keeps its scheduler's issue port beyond its slot
  std::array<Ticks, 2> taken{};          ///< of units[k]
  std::array<std::uint8_t, 2> units{no_unit, no_unit};
  std::uint8_t write_barrier = 7, read_barrier = 7, wait_mask = 0;
  std::int8_t waits_on_scoreboard = -1;
  std::uint8_t scoreboard_left = 0;
  std::uint8_t port_reads = 0;
  bool dual_with_next = false;
  bool with_next =
      false;              ///< no control words: its kept operands say that the next follows at once
  bool variable = false;  ///< its result comes when it comes: through a barrier or scoreboard
  bool is_barrier = false;
  bool is_branch = false, is_load = false, is_store = false;
  std::uint32_t access = no_access;  ///< into TimedKernel::accesses
  std::uint32_t constant_line = no_access;
  std::uint32_t code_line = 0;
  std::uint32_t reads = 0, writes = 0;            ///< into TimedKernel::slots
  std::uint16_t read_count = 0, write_count = 0;  ///< register slots of the scoreboard
  std::array<PortRead, 3> ports{};
};

/// How one memory instruction uses the way to its data. Shares are of 2^32.
struct TimedAccess {
  Ticks collect = 0;      ///< the sub-core's collector is busy with its registers
  Ticks leave = 0;        ///< issue to leaving the queue, nothing in the way
  Ticks after = 0;        ///< from there to the reader's issue, where L1 or shared memory has it
  Ticks interface = 0;    ///< the SM's memory interface is taken
  Ticks data = 0;         ///< the data stage is taken
  Ticks more_passes = 0;  ///< .. beyond one pass: delays the result
  std::uint64_t none = 0, l1 = 0, l2 = 0;  ///< bounds of the draw: nothing asked, L1, L2, memory
  Ticks extra_l2 = 0, extra_memory = 0;    ///< latency beyond `after`
  Ticks l2_port = 0;                       ///< the SM's port to L2, an execution that goes there
  Ticks memory = 0;  ///< the SM's share of device memory, an execution that goes there
  double memory_bytes = 0;
  Ticks slice = 0;  ///< the busiest slice of L2 is taken, as `memory`
  double slice_cycles = 0;
  bool is_store = false, is_memory = false;
};

/// A kernel lowered for one SM.
struct TimedKernel {
  std::vector<TimedInstruction> instructions;
  std::vector<TimedAccess> accesses;
  std::vector<std::uint16_t> slots;  ///< of reads and writes
  std::size_t slot_count = 0;        ///< registers that the scoreboard follows; 0: none
  std::uint32_t code_lines = 0;
  bool ordered_barriers = false;  ///< some instruction waits for "at most n left"
};

/// The SM as numbers.
struct SmMachine {
  std::uint32_t schedulers = 1;
  Ticks issue_interval = cycle;
  std::vector<Pipe> pipes;
  PolicyChoice policy;
  std::uint32_t memory_queue = 0;  ///< instructions per sub-core; 0: no limit
  std::uint32_t sm_requests = 0;   ///< inside the SM's memory unit; 0: no limit
  Ticks store_gap = 0;             ///< store to store of one warp
  std::vector<Ticks> load_gaps;    ///< after the first, second .. load in a row
  Ticks refill = 0, start = 0;     ///< a block's end to the next one's, and to its first issue
  Ticks warp_start = 0, block_start = 0;  ///< between warps of a block; between blocks at first
  std::vector<Ticks> device_delays;       ///< of device memory by its load, 0 to 1 in equal steps
  Ticks store_backlog = 0;  ///< stores wait when what is posted takes longer than this
  std::uint32_t banks = 0, bank_reads = 0;  ///< register file; 0 banks: never in the way
  std::uint32_t read_window = 3;            ///< cycles in which an instruction reads its registers
  std::uint32_t to_allocation = 2;          ///< cycles from issue to where those begin
  Ticks barrier_seen = 2 * cycle;           ///< issue to where a wait sees the barrier that it set
  std::uint32_t constant_lines = 0;
  Ticks constant_miss = 0, constant_hold = 0;
  Ticks jump_fetches =
      0;  ///< a taken branch: time of the fetches in vain; 0: fetching never limits
  Ticks fetched_ahead = 0;             ///< time of the fetches that a warp's buffer holds
  std::uint32_t code_cache_lines = 0;  ///< 0: instructions are always there
  Ticks code_line_time = 0;
};

}  // namespace forewarp::timing
