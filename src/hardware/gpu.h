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

/// Limits of an SM and of a launch (specs of the vendor's occupancy calculator).
struct SmLimits {
  std::uint32_t warp_lanes = 0;  ///< threads per warp
  std::uint32_t threads_per_block = 0;
  std::uint32_t warps_per_sm = 0;
  std::uint32_t blocks_per_sm = 0;
  std::uint32_t registers_per_sm = 0;  ///< 32-bit registers
  std::uint32_t registers_per_block = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t register_unit = 0;  ///< registers; per warp, or per block where register_per_block
  bool register_unit_per_block = false;       ///< 1.x: the whole block is rounded
  std::uint32_t partitions = 0;               ///< sub-partitions that registers are divided over
  std::uint32_t launch_check_partitions = 0;  ///< 6.0: the launch check assumes more (0: same)
  std::uint32_t warp_unit = 1;                ///< warps per block are rounded up to it (1.x: 2)
  std::uint32_t shared_per_sm = 0;            ///< bytes, largest carve-out
  std::uint32_t shared_per_block = 0;         ///< bytes, default
  std::uint32_t shared_per_block_optin = 0;
  std::uint32_t shared_reserved = 0;     ///< bytes per block taken by the system
  std::uint32_t shared_unit = 0;         ///< allocation granularity, bytes
  std::vector<std::uint32_t> carveouts;  ///< bytes, ascending; empty: fixed
  std::uint32_t barriers_per_block = 0;
  std::uint32_t barrier_pool = 0;            ///< per SM; 0: no limit
  std::array<std::uint32_t, 3> max_block{};  ///< threads in x, y, z
  std::array<std::uint32_t, 3> max_grid{};   ///< blocks in x, y, z
  bool operator==(const SmLimits&) const = default;
};

/// Timing of one instruction class on one generation.
struct ClassTiming {
  std::string pipe;       ///< name in IsaTiming::pipes
  double cycles = 0;      ///< the pipe is taken for this long per warp instruction, per SM
  double latency = 0;     ///< issue to earliest dependent issue, cycles
  bool variable = false;  ///< completes through a barrier or scoreboard
  std::vector<std::pair<std::string, double>> also;  ///< further pipes taken, with their cycles
  bool operator==(const ClassTiming&) const = default;
};

/// One set of latencies for the in-order issue recurrence (Volkov 2016, 3.7; Gajger 2017, 4.3).
struct LatencyRules {
  std::string name;                ///< "default", "gajger", "volkov"
  bool use_control_words = false;  ///< stall counts and wait masks replace the dependence table
  std::map<std::string, double, std::less<>> latency;  ///< by class name; "global", "shared", ..
  double ilp = 1;        ///< next instruction of the same warp, even independent
  double store_ilp = 0;  ///< store to store; 0: as ilp
  double branch_taken = 0, branch_not_taken = 0;  ///< 0: as ilp
  double guarded_exit = 0;                        ///< after an EXIT that is not taken; 0: as ilp
  double barrier = 0;                             ///< added to the last arrival
  double replacement = 0;                         ///< block replacement, added once per warp
  /// Spacing after the first, second .. of loads that follow each other directly; empty: as ilp.
  std::vector<double> load_gaps;
  bool operator==(const LatencyRules&) const = default;
};

/// What a GPU is, as numbers; built from Facts, never by name. Bandwidths are decimal GB/s.
struct Gpu {
  std::string id, name, file, chip, isa;
  std::string asked_as;       ///< the part of its name that it was found by; empty: all of it
  std::string parameter_set;  ///< "" or the named set in use (ID@SET)
  Capability cc;
  SmLimits limits;
  std::uint32_t sms = 0;
  double clock_base_mhz = 0, clock_boost_mhz = 0, clock_sustained_mhz = 0;

  // Issue and pipes, per SM.
  double schedulers = 0;      ///< warp schedulers
  double issue_interval = 1;  ///< cycles between issues of one scheduler
  bool dual_issue = false;
  double reissue_slots = 0;  ///< issue slots per further pass of a memory instruction
  double jump_slots = 0;     ///< fetched in vain with a taken branch; 0: fetching never limits
  double core_lanes = 0;     ///< "CUDA cores": lanes of the main FP32 pipe
  double sfu_lanes = 0;
  double register_banks = 0;                                ///< per scheduler
  double register_reads_per_bank = 0;                       ///< per cycle
  std::map<std::string, ClassTiming, std::less<>> classes;  ///< by class name

  // Memory, per SM clock unless said.
  double sector_bytes = 0, line_bytes = 0;
  double coalescing_lanes = 0;       ///< lanes whose accesses are joined
  double request_bytes = 0;          ///< an access that is wider is split
  bool coalescing_segments = false;  ///< 1.x: segments of a line, halved where a half suffices
  bool coalescing_in_order = false;  ///< 1.0: lane k must access word k of its segment
  double shared_banks = 0, shared_bank_bytes = 0;
  double bank_lanes = 0;               ///< lanes that one pass serves
  double bank_word_bytes = 0;          ///< consecutive words lie in consecutive banks
  bool bank_single_broadcast = false;  ///< one word a pass goes to several lanes, not any
  bool bank_load_merge = false;        ///< wide loads of lanes that read alike take half the passes
  double shared_cycles_per_pass = 1;   ///< data stage, per wavefront
  double shared_cycles_minimum = 1;    ///< per instruction (return path)
  double lsu_cycles = 1;               ///< SM memory interface, per memory instruction
  double l1_return_bytes = 0;          ///< per cycle, accesses of 32 bits a lane
  double l1_return_bytes_64 = 0;       ///< of 64 bits; 0: as of 32
  double l1_return_bytes_128 = 0;      ///< of 128 bits; 0: as of 64
  double l1_latency = 0, shared_latency = 0;
  double l1_bytes = 0;          ///< unified array or L1 size
  double l1_fill_bytes = 0;     ///< per cycle on a miss
  double store_path_bytes = 0;  ///< per cycle to L2
  bool l1_caches_global = false;
  bool l1_unified = false;          ///< one array with shared memory
  double l1_fetch_bytes = 0;        ///< what a miss fetches
  bool l1_store_updates = false;    ///< a store that hits changes the line; else it drops it
  bool l1_store_allocates = false;  ///< a store that misses keeps its bytes
  bool l1_local_write_back = false;
  double l1_read_only_bytes = 0;            ///< cache of its own for read-only data; 0: L1
  double l1_miss_from = 0, l1_miss_to = 0;  ///< as l2_miss_from
  double l2_bytes = 0, l2_latency = 0, l2_latency_far = 0;
  double l2_read_bytes = 0, l2_write_bytes = 0;  ///< per cycle and SM
  double l2_fetch_bytes = 0;                     ///< what a miss fetches from memory
  double l2_miss_from = 0,
         l2_miss_to = 0;        ///< footprint over L2 size where misses begin and are all
  double l2_miss_to_mixed = 0;  ///< the same where as much is written as read; 0: l2_miss_to
  double memory_latency = 0;    ///< cycles at memory_latency_mhz, unloaded
  double memory_latency_mhz = 0;
  double memory_theory_gbs = 0;
  double memory_bytes = 0;                                     ///< device memory size
  double memory_read = 0, memory_write = 0, memory_mixed = 0;  ///< reached share of theory
  double contention_read = 0, contention_mixed = 0,
         contention_first = 0;  ///< b_r, b_m, A in cycles
  /// Share of theory at which the queue's growth u/(1-u) has its pole, u = traffic over it.
  double contention_read_share = 0, contention_mixed_share = 0;
  /// (bytes, GB/s reached) in allocation order; empty: one segment.
  std::vector<std::pair<double, double>> memory_segments;
  double memory_context = 0;  ///< bytes taken before a program's first buffer
  double page_bytes = 0;      ///< of the TLB
  double request_limit = 0;   ///< requests in flight per SM memory unit; 0: unknown

  // Launch.
  double block_turnaround = 0;       ///< cycles between blocks in one slot, without load
  double block_launch_interval = 0;  ///< SM clocks per block for the whole GPU
  double warp_launch_cycles = 0;
  double event_us = 0, stream_us = 0, graph_us = 0, host_us = 0;  ///< added by --timing

  std::vector<LatencyRules> rules;  ///< "default" first
  Facts facts;                      ///< everything above with its provenance

  bool operator==(const Gpu&) const = default;
  [[nodiscard]] const LatencyRules* rules_named(std::string_view rules_name) const;
  /// The number at `path`, or `otherwise` where the GPU has none (facts without a field here).
  [[nodiscard]] double number(std::string_view path, double otherwise = 0) const;
};

/// MHz that the board reaches at most: boards for games hold more than their boost clock.
[[nodiscard]] double highest_clock(const Gpu& gpu);

/// Peak DRAM bytes per SM clock and SM (Gajger 2017, eq. 4.7), at the sustained clock.
[[nodiscard]] double memory_bytes_per_cycle(const Gpu& gpu);

}  // namespace forewarp::hardware
