// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "execution/access/access_stream.h"

namespace forewarp::memory {

/// Memory traffic of one instruction over the whole grid. For a copy from global to shared memory
/// (cp.async), `wavefronts` counts its shared stores and the other counts its global side.
struct InstructionMemory {
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  double requests = 0;  ///< executed with at least one active lane
  double lanes = 0;
  double sectors = 0;         ///< distinct sectors per request, summed
  double lines = 0;           ///< distinct lines per request, summed
  double transactions = 0;    ///< as the generation counts: segments on 1.x, lines on 2.x, ..
  double wavefronts = 0;      ///< passes through the banks of shared memory, or of L1 for loads
  double tag_passes = 0;      ///< tag lookups of L1, each for several lines
  double stage_cycles = 0;    ///< cycles of L1's data stage; per request the slowest of banks, tags
                              ///< and return path (for copies: of the global side)
  double l1_hit_sectors = 0;  ///< of `sectors`
  double l2_sectors = 0;      ///< of `sectors`: those that reached L2
  double l2_hit_sectors = 0;  ///< of `l2_sectors`
  double most_transactions = 0, most_wavefronts = 0;  ///< of one request
  double atomic_degree = 0;  ///< lanes that access the most frequent word, mean over requests
  /// Turns of the atomic units, in which each word takes one lane; summed.
  double atomic_turns = 0;
  double slice_visits = 0;  ///< visits to slices of L2 if L1 kept none of `sectors`
  /// Of accesses to the shared memory of other blocks: requests, and bytes over all lanes.
  double distant_requests = 0, distant_bytes = 0;
  /// Share of `sectors` in the busiest stretch of L2 at a time; 0: L1 may keep them.
  double busiest_share = 0;
  /// Shares of requests that wait for L2 or beyond, and for device memory. A request waits for the
  /// last of its lines.
  double waits_for_l2 = 1, waits_for_memory = 1;

  [[nodiscard]] double l1_hit_rate() const { return sectors > 0 ? l1_hit_sectors / sectors : 0; }
  [[nodiscard]] double l2_hit_rate() const {
    return l2_sectors > 0 ? l2_hit_sectors / l2_sectors : 0;
  }
};

/// A kernel's traffic on one GPU, for the whole grid.
struct MemoryProfile {
  std::map<std::uint32_t, InstructionMemory> instructions;  ///< by index in the kernel

  double global_load_requests = 0;
  double global_load_sectors = 0;   ///< of loads, without textures and surfaces
  double global_store_sectors = 0;  ///< of stores
  double atomic_sectors = 0;        ///< of atomics and reductions in global memory
  double local_load_sectors = 0, local_store_sectors = 0;
  double shared_requests = 0;
  double shared_wavefronts = 0;
  double fetch_requests = 0;  ///< through textures and surfaces, whose addresses are unknown

  double l2_read_sectors = 0, l2_write_sectors = 0;  ///< that reach L2, without those of atomics
  double l1_hit_rate = 0;                            ///< of the sectors of loads that may use L1
  double l2_hit_rate = 0;                            ///< of the sectors of reads that reach L2
  double dram_read_bytes = 0;
  /// Written back by L2, including lines dirty at the end as far as the footprint exceeds L2.
  double dram_write_bytes = 0;

  /// Places at which device memory reads or writes a part of a line; 1 each, less for those beside
  /// another of the same request.
  double dram_read_places = 0, dram_write_places = 0;

  double unique_read_bytes = 0, unique_written_bytes = 0;  ///< of global memory, whole sectors
  double unique_bytes = 0;                                 ///< read or written
  double local_bytes = 0;  ///< of the local memory of all resident threads
  double pages = 0;        ///< of `page_bytes`, touched in global memory
  double page_bytes = 0;

  /// Share of all atomic turns that falls on the busiest stretch of `l2.slice_bytes`, which one
  /// slice of L2 serves.
  double hottest_turns = 0;

  double l1_bytes = 0;  ///< as the carve-out leaves it
  double l2_bytes = 0;  ///< usable for data of all SMs

  double sectors_error = 0;  ///< relative, 95 %: of totals extrapolated from sampled blocks
  /// Absolute, 95 %, of both hit rates: from two halves of the replayed lines.
  double hit_error = 0;
  double dram_error = 0;      ///< relative, 95 %: the same for dram_read_bytes
  double replayed_share = 0;  ///< share of the grid's sectors that were replayed through the caches
  double reached = 1;         ///< share of what is recorded of each block that the caches saw
  std::vector<std::string> notes;  ///< what was assumed, one sentence each
};

}  // namespace forewarp::memory
