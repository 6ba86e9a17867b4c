// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "execution/access/access_stream.h"
#include "execution/grid/sampling.h"
#include "hardware/gpu.h"
#include "memory/memory_options.h"

namespace forewarp::memory {

/// What one instruction asks of the memory, over the whole grid. A copy from global to shared
/// memory (cp.async) counts its global side in the first group and its stores in `wavefronts`.
struct InstructionMemory {
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  double requests = 0;  ///< warp instructions with at least one lane
  double lanes = 0;
  double sectors = 0;         ///< distinct ones per request, summed
  double lines = 0;           ///< the same for lines
  double transactions = 0;    ///< as the generation counts: segments on 1.x, lines on 2.x, ..
  double wavefronts = 0;      ///< passes through the banks of shared memory, or of L1 for loads
  double tag_passes = 0;      ///< lookups of lines in L1, several at once
  double stage_cycles = 0;    ///< of L1's data stage, each request its slowest of the two and of
                              ///< the way back; of a copy to shared memory: of its global side
  double l1_hit_sectors = 0;  ///< of `sectors`
  double l2_sectors = 0;      ///< of `sectors`: that reached L2
  double l2_hit_sectors = 0;  ///< of `l2_sectors`
  double most_transactions = 0, most_wavefronts = 0;  ///< of one request
  double atomic_degree = 0;  ///< mean over requests of the most lanes that share one word
  double atomic_turns = 0;   ///< of the units that do atomics, one lane a word and turn, summed
  double slice_visits = 0;   ///< of slices of L2, if nothing of `sectors` were kept before
  double busiest_share = 0;  ///< of `sectors`: in the busiest stretch while it is; 0: L1 may keep
                             ///< them
  /// Shares of the requests that wait for L2 or beyond, and for device memory: the last of a
  /// request's lines to come decides.
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
  double global_load_sectors = 0;   ///< of loads; textures and surfaces apart
  double global_store_sectors = 0;  ///< of stores
  double atomic_sectors = 0;        ///< of atomics and reductions in global memory
  double local_load_sectors = 0, local_store_sectors = 0;
  double shared_requests = 0;
  double shared_wavefronts = 0;
  double fetch_requests = 0;  ///< through textures and surfaces: addresses unknown

  double l2_read_sectors = 0, l2_write_sectors = 0;  ///< that reach L2, without atomics
  double l1_hit_rate = 0;                            ///< of the sectors of loads that may use L1
  double l2_hit_rate = 0;                            ///< of the sectors of reads that reach L2
  double dram_read_bytes = 0;
  /// Written back by L2, those lines included that are still dirty at the end as far as the
  /// kernel's footprint does not fit into L2.
  double dram_write_bytes = 0;

  double unique_read_bytes = 0, unique_written_bytes = 0;  ///< of global memory, whole sectors
  double unique_bytes = 0;                                 ///< read or written
  double local_bytes = 0;  ///< of local memory, of all resident threads
  double pages = 0;        ///< of `page_bytes`, touched in global memory
  double page_bytes = 0;

  /// Share of all turns of atomics on the stretch of `l2.slice_bytes` that has the most: one slice
  /// does all of them.
  double hottest_turns = 0;

  double l1_bytes = 0;  ///< what the carve-out leaves
  double l2_bytes = 0;  ///< that data of all SMs can use

  double sectors_error = 0;        ///< relative, 95 %: of the sampled totals
  double hit_error = 0;            ///< absolute, of both hit rates: by two halves of the caches
  double dram_error = 0;           ///< relative: the same for dram_read_bytes
  double replayed_share = 0;       ///< of the grid's sectors that the caches saw
  std::vector<std::string> notes;  ///< what was assumed, one sentence each
};

/// Replays streams through the memory of a GPU. Nothing is executed.
[[nodiscard]] MemoryProfile profile_memory(const AccessStreams& streams, const SamplePlan& plan,
                                           const Gpu& gpu, const MemoryOptions& options);

}  // namespace forewarp::memory
