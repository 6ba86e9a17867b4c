// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hardware/capability.h"
#include "hardware/facts.h"

namespace forewarp::hardware {

/// Limits of an SM and of a launch, as in the vendor's occupancy calculator.
struct SmLimits {
  std::uint32_t warp_lanes = 0;  ///< threads per warp
  std::uint32_t threads_per_block = 0;
  std::uint32_t warps_per_sm = 0;
  std::uint32_t blocks_per_sm = 0;
  std::uint32_t registers_per_sm = 0;  ///< 32-bit registers
  std::uint32_t registers_per_block = 0;
  std::uint32_t registers_per_thread = 0;
  /// Allocation unit in registers; per warp, or per block if register_unit_per_block.
  std::uint32_t register_unit = 0;
  bool register_unit_per_block = false;  ///< 1.x: registers are rounded per block
  std::uint32_t partitions = 0;          ///< sub-partitions that share the registers equally
  /// 6.0: the launch check assumes more partitions; 0: the same.
  std::uint32_t launch_check_partitions = 0;
  std::uint32_t warp_unit = 1;         ///< warps per block are rounded up to a multiple (1.x: 2)
  std::uint32_t shared_per_sm = 0;     ///< bytes, largest carve-out
  std::uint32_t shared_per_block = 0;  ///< bytes, default
  std::uint32_t shared_per_block_optin = 0;
  std::uint32_t shared_reserved = 0;     ///< bytes per block that the system takes
  std::uint32_t shared_unit = 0;         ///< allocation granularity, bytes
  std::vector<std::uint32_t> carveouts;  ///< bytes, ascending; empty: not configurable
  std::uint32_t barriers_per_block = 0;
  std::uint32_t barrier_pool = 0;            ///< per SM; 0: no limit
  std::array<std::uint32_t, 3> max_block{};  ///< threads in x, y, z
  std::array<std::uint32_t, 3> max_grid{};   ///< blocks in x, y, z
  bool operator==(const SmLimits&) const = default;
};

/// Timing of one instruction class on one generation.
struct ClassTiming {
  std::string pipe;       ///< name in IsaTiming::pipes
  double cycles = 0;      ///< cycles that one warp instruction occupies the SM's pipe
  double latency = 0;     ///< cycles from issue to the earliest dependent issue
  bool variable = false;  ///< completes through a barrier register or scoreboard
  std::vector<std::pair<std::string, double>> also;  ///< further pipes it occupies, with cycles
  bool operator==(const ClassTiming&) const = default;
};

/// Latencies for the in-order issue recurrence (Volkov 2016, 3.7; Gajger 2017, 4.3), in cycles.
struct LatencyRules {
  std::string name;  ///< "default", "gajger", "volkov"
  /// Stall counts and wait masks are used instead of the dependence table.
  bool use_control_words = false;
  std::map<std::string, double, std::less<>> latency;  ///< by class name; "global", "shared", ..
  double ilp = 1;        ///< spacing to the warp's next instruction, even an independent one
  double store_ilp = 0;  ///< store to store; 0: as ilp
  double branch_taken = 0, branch_not_taken = 0;  ///< 0: as ilp
  double guarded_exit = 0;                        ///< after an EXIT that is not taken; 0: as ilp
  double barrier = 0;                             ///< added after the last warp's arrival
  double replacement = 0;                         ///< block replacement, added once per warp
  /// Spacing after the first, second .. of consecutive loads; empty: as ilp.
  std::vector<double> load_gaps;
  bool operator==(const LatencyRules&) const = default;
};

/// A GPU as numbers; built from Facts, with no knowledge of names. Bandwidths are decimal GB/s.
struct Gpu {
  std::string id, name, file, chip, isa;
  std::string asked_as;       ///< the part of its name by which it was found; empty: the whole name
  std::string parameter_set;  ///< "" or the named set in use (ID@SET)
  Capability cc;
  SmLimits limits;
  std::uint32_t sms = 0;
  double clock_base_mhz = 0, clock_boost_mhz = 0, clock_sustained_mhz = 0;

  // Issue and pipes, per SM.
  double schedulers = 0;      ///< warp schedulers
  double issue_interval = 1;  ///< cycles between issues of one scheduler
  bool dual_issue = false;
  double reissue_slots = 0;  ///< issue slots per additional pass of a memory instruction
  double jump_slots = 0;     ///< slots fetched in vain at a taken branch; 0: fetching is no limit
  double core_lanes = 0;     ///< "CUDA cores": lanes of the main FP32 pipe
  double sfu_lanes = 0;
  double register_banks = 0;                                ///< per scheduler
  double register_reads_per_bank = 0;                       ///< per cycle
  std::map<std::string, ClassTiming, std::less<>> classes;  ///< by class name

  // Memory, per SM clock unless stated otherwise.
  double sector_bytes = 0, line_bytes = 0;
  double coalescing_lanes = 0;       ///< lanes whose accesses are coalesced
  double request_bytes = 0;          ///< wider accesses are split
  bool coalescing_segments = false;  ///< 1.x: segments of a line, halved if a half suffices
  bool coalescing_in_order = false;  ///< 1.0: lane k must access word k of its segment
  double shared_banks = 0, shared_bank_bytes = 0;
  double bank_lanes = 0;               ///< lanes served by one pass
  double bank_word_bytes = 0;          ///< consecutive words of this size are in consecutive banks
  bool bank_single_broadcast = false;  ///< a pass broadcasts a single word to several lanes
  /// Wide loads take half the passes if groups of lanes read the same words.
  bool bank_load_merge = false;
  double shared_cycles_per_pass = 1;  ///< data stage, per wavefront
  double shared_cycles_minimum = 1;   ///< per instruction (return path)
  double lsu_cycles = 1;           ///< cycles of the SM's memory interface per memory instruction
  double l1_return_bytes = 0;      ///< per cycle, for accesses of 32 bits per lane
  double l1_return_bytes_64 = 0;   ///< for 64 bits; 0: as for 32
  double l1_return_bytes_128 = 0;  ///< for 128 bits; 0: as for 64
  double l1_latency = 0, shared_latency = 0;
  double l1_bytes = 0;          ///< of L1, or of the unified array
  double l1_fill_bytes = 0;     ///< per cycle, for misses
  double store_path_bytes = 0;  ///< per cycle to L2
  bool l1_caches_global = false;
  bool l1_unified = false;          ///< one array for L1 and shared memory
  double l1_fetch_bytes = 0;        ///< bytes that a miss fetches
  bool l1_store_updates = false;    ///< a store that hits updates the line; else it invalidates it
  bool l1_store_allocates = false;  ///< a store that misses allocates its bytes
  bool l1_local_write_back = false;
  double l1_read_only_bytes = 0;            ///< separate cache for read-only data; 0: it is in L1
  double l1_miss_from = 0, l1_miss_to = 0;  ///< as l2_miss_from
  double l2_bytes = 0, l2_latency = 0, l2_latency_far = 0;
  double l2_read_bytes = 0, l2_write_bytes = 0;  ///< per cycle and SM
  double l2_fetch_bytes = 0;                     ///< bytes that a miss fetches from device memory
  double l2_miss_from = 0,
         l2_miss_to = 0;        ///< footprint over L2 size where misses begin and are all
  double l2_miss_to_mixed = 0;  ///< the same if as much is written as read; 0: l2_miss_to
  double memory_latency = 0;    ///< cycles at memory_latency_mhz, unloaded
  double memory_latency_mhz = 0;
  double memory_theory_gbs = 0;
  double memory_bytes = 0;  ///< device memory size
  /// Achievable shares of the theoretical bandwidth.
  double memory_read = 0, memory_write = 0, memory_mixed = 0;
  double contention_read = 0, contention_mixed = 0,
         contention_first = 0;  ///< b_r, b_m, A in cycles
  /// Share u0 of the theoretical bandwidth at which queueing u/(1-u) diverges; u = traffic / u0.
  double contention_read_share = 0, contention_mixed_share = 0;
  /// (bytes, achievable GB/s) in allocation order; empty: a single segment.
  std::vector<std::pair<double, double>> memory_segments;
  double memory_context = 0;  ///< bytes allocated before a program's first buffer
  double page_bytes = 0;      ///< of the TLB
  double request_limit = 0;   ///< requests in flight per SM; 0: unknown

  // Launch.
  double block_turnaround = 0;  ///< cycles between consecutive blocks in one slot, without load
  double block_launch_interval = 0;  ///< SM clocks per block launched, for the whole GPU
  double warp_launch_cycles = 0;
  double event_us = 0, stream_us = 0, graph_us = 0, host_us = 0;  ///< added by --timing

  std::vector<LatencyRules> rules;  ///< "default" first
  Facts facts;                      ///< all of the above with provenance

  bool operator==(const Gpu&) const = default;
  [[nodiscard]] const LatencyRules* rules_named(std::string_view rules_name) const;
  /// The number at `path`, or `otherwise`; for facts without a member here.
  [[nodiscard]] double number(std::string_view path, double otherwise = 0) const;
};

/// The highest clock in MHz: boards for games run above their boost clock.
[[nodiscard]] double highest_clock(const Gpu& gpu);

/// Peak device-memory bytes per cycle and SM at the sustained clock (Gajger 2017, eq. 4.7).
[[nodiscard]] double memory_bytes_per_cycle(const Gpu& gpu);

}  // namespace forewarp::hardware
