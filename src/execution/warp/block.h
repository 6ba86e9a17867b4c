// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "execution/lowering/program.h"
#include "execution/state/findings.h"
#include "execution/state/row_functions.h"
#include "execution/state/warp.h"
#include "execution/storage/global_memory.h"
#include "execution/storage/launch_image.h"

namespace forewarp::execution {

/// What an instruction does is not known, and how that was resolved.
enum Assumed : std::uint8_t {
  assumed_condition = 1,  ///< by the usual outcome, or by the share that the user stated
  assumed_half = 2,       ///< a branch without any assumption: half of the lanes go each way
  assumed_place = 4,      ///< an address: drawn from the buffer that its known part points into
  assumed_meeting = 8     ///< lanes met without those of their mask that wait elsewhere
};

/// What the blocks of a group share: the program, the launch, their view of global memory, and what
/// was found while they ran.
struct Environment {
  Environment(const Program& lowered, const LaunchImage& launch, GlobalMemory& global);

  const Program* program;
  const LaunchImage* image;
  GlobalMemory* memory;
  const RowFunctions* rows;
  std::vector<std::uint32_t> buffer_hint;     ///< by instruction: buffer that it used last
  std::vector<std::uint32_t> unknown_buffer;  ///< by instruction: buffer that gave unknown values
  std::uint64_t draws = 0;                    ///< number of decisions on unknown values so far
  std::vector<std::uint8_t> assumed;          ///< by instruction: Assumed bits
  Findings findings;
};

/// One named barrier of a block.
struct NamedBarrier {
  std::uint32_t arrived_warps = 0;
  std::uint32_t expected_threads = 0;  ///< 0: all warps that have not ended
  std::uint32_t count = 0;             ///< BAR.RED: lanes whose predicate holds
  bool all = true, any = false;
  bool asks_all = false;            ///< BAR.RED.AND; .OR otherwise
  std::uint32_t waiting_warps = 0;  ///< part of arrived_warps: without those of BAR.ARV
};

/// How often the phases of a barrier in shared memory have been completed since its init.
struct PhaseCount {
  std::uint32_t barrier = 0;  ///< byte offset in shared memory
  std::uint32_t completed = 0;
  /// Contributions of the block itself, and of its cluster.
  std::uint64_t own_arrivals = 0, arrivals = 0, own_bytes = 0, bytes = 0;
};

/// Why a block failed, and which of its warps did.
struct BlockFault {
  Fault fault;
  std::uint32_t warp = 0;
  std::string_view expected{};  ///< of a deadlock
};

/// A running thread block: its shared memory, barriers and warps.
struct Block {
  static constexpr std::uint32_t named_barriers = 16;
  static constexpr std::uint32_t group_warps = 4;  ///< of a warp group
  /// After the named ones one for each warp group, whose products begin together.
  static constexpr std::uint32_t barrier_count = named_barriers + 32 / group_warps;

  /// Starts block `linear` of the grid. The object may be used again for another block.
  void start(Environment& environment, std::uint64_t linear);

  /// Call after a move: makes the warps refer to this object.
  void adopt_warps() {
    for (Warp& warp : warps) warp.block = this;
  }

  Environment* environment = nullptr;
  std::uint64_t linear = 0;
  Extent index{};
  std::vector<std::uint8_t> shared;          ///< filled up to whole vectors of 16 bytes
  std::uint32_t shared_bytes = 0;            ///< of them the launch asked for
  std::vector<std::uint8_t> shared_unknown;  ///< one per byte; empty while all is known
  std::array<NamedBarrier, barrier_count> barriers{};
  std::vector<PhaseCount> phases;
  /// Registers of a lane each that warps had given away after each gift, and have taken.
  std::vector<std::int64_t> given_registers;
  std::int64_t taken_registers = 0;
  std::uint32_t cluster_rank = 0;      ///< its number in its cluster
  std::uint32_t cluster_blocks = 1;    ///< of its cluster
  std::uint64_t cluster_arrivals = 0;  ///< of its warps at the barrier of the cluster
  std::vector<Block*> peers;           ///< blocks of its cluster by rank; empty: it runs alone
  std::uint32_t reduced_count = 0;     ///< result of the last BAR.RED.POPC
  bool reduced = false;                ///< of the last BAR.RED.AND or .OR
  std::vector<Warp> warps;
  std::vector<std::uint32_t> cells;  ///< of all warps; registers keep what the last block left
  std::uint32_t sink_slot = 0;       ///< for the sink's own use
  std::uint64_t executed = 0;        ///< warp instructions until this warp's turn began
  std::uint64_t in_turn = 0;         ///< in this turn, as of its last instruction that may ask
  /// What clocks show, if the sink keeps time; else they follow the count of instructions.
  std::optional<std::uint64_t> cycles;
  std::uint64_t nanoseconds = 0;

  [[nodiscard]] std::int64_t spare_registers() const {
    return (given_registers.empty() ? 0 : given_registers.back()) - taken_registers;
  }

  /// Of registers and shared memory.
  [[nodiscard]] std::size_t held_bytes() const {
    return cells.size() * sizeof(std::uint32_t) + shared.size();
  }
  void set_shared_unknown(std::uint64_t at, std::uint32_t bytes, bool value);
  /// The count of this barrier; a new one starts at 0.
  [[nodiscard]] PhaseCount& phase_count(std::uint32_t barrier);
  /// The block that a shared address of the cluster belongs to: by its upper byte, from sm_90 on.
  [[nodiscard]] Block& holder(std::uint64_t shared_address) {
    const std::uint64_t rank = shared_address >> 24 & 0xffU;
    return rank < peers.size() ? *peers[rank] : *this;
  }
};

}  // namespace forewarp::execution
