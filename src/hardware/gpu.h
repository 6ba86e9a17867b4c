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
  std::uint32_t cluster_blocks = 0;          ///< most of a cluster; 0: there are no clusters
  std::vector<std::uint32_t> gpc_sms;        ///< SMs of each GPC; empty: not known
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

/// L1 of an SM; rates per SM clock. Facts "l1.*".
struct L1Facts {
  double bytes = 0;             ///< of L1, or of the unified array
  double latency = 0;           ///< cycles
  double return_bytes = 0;      ///< per cycle, for accesses of 32 bits per lane
  double return_bytes_64 = 0;   ///< for 64 bits; 0: as for 32
  double return_bytes_128 = 0;  ///< for 128 bits; 0: as for 64
  double fill_bytes = 0;        ///< per cycle, for misses
  double store_bytes = 0;       ///< per cycle to L2
  double fetch_bytes = 0;       ///< that a miss fetches
  bool caches_global = false;
  bool unified = false;          ///< one array for L1 and shared memory
  bool store_updates = false;    ///< a store that hits updates the line; else it invalidates it
  bool store_allocates = false;  ///< a store that misses allocates its bytes
  bool local_write_back = false;
  double read_only_bytes = 0;         ///< separate cache for read-only data; 0: it is in L1
  double miss_from = 0, miss_to = 0;  ///< footprint over size where misses begin and are all
  double many_warps = 0;              ///< warps from which the next two apply; 0: never
  double many_miss_from = 0, many_miss_to = 0;
  double local_miss_from = 0, local_miss_to = 0;  ///< of local memory; 0: as miss_from, miss_to
  double tag_lines = 0;                           ///< lines looked up per cycle; 0: no limit
  double tag_hash_digits = 0;  ///< digits of the line number that choose a bank of tags
  bool operator==(const L1Facts&) const = default;
};

/// L2; rates per SM and SM clock. Facts "l2.*".
struct L2Facts {
  double bytes = 0;
  double latency = 0, latency_far = 0;  ///< cycles; far: in the other part of a divided L2
  double read_bytes = 0, write_bytes = 0;
  double fetch_bytes = 0;                         ///< that a miss fetches from device memory
  double miss_from = 0, miss_to = 0;              ///< footprint over size; as in L1Facts
  double miss_to_mixed = 0;                       ///< if as much is written as read; 0: miss_to
  double local_miss_from = 0, local_miss_to = 0;  ///< of local memory; 0: as miss_from, miss_to
  double far_from = 0, far_to = 0;    ///< footprint over size where far hits begin and are all
  double slice_bits = 0;              ///< of the memory bus that belong to one slice; 0: unknown
  double slice_bytes = 0;             ///< consecutive bytes in one slice; 0: unknown
  double slice_line_sectors = 0;      ///< of a line that a slice takes at once; 0: unknown
  double slice_lone_visits = 0;       ///< for a store of one whole sector of a line
  double slice_part_visits = 0;       ///< for a store of a part of a sector
  double slice_part_line_visits = 0;  ///< at least, for a line with such parts; 0: as above
  double slice_sector_cycles = 0;
  double dirty_share = 0;  ///< of its lines that wait to be written, at most; 0: all
  double part_share = 0;   ///< the same of lines with partly written sectors
  bool operator==(const L2Facts&) const = default;
};

/// Device memory; bandwidths in decimal GB/s. Facts "memory.*".
struct MemoryFacts {
  double latency = 0;  ///< cycles at latency_mhz, unloaded
  double latency_mhz = 0;
  double theory_gbs = 0;
  double bytes = 0;
  double context_bytes = 0;  ///< allocated before a program's first buffer
  /// Achievable shares of the theoretical bandwidth.
  double read_share = 0, write_share = 0, mixed_share = 0;
  double lattice_share = 0;  ///< of lattice-Boltzmann codes; 0: unknown
  double local_share = 1;    ///< of the achievable bandwidth, for local memory
  double contention_read = 0, contention_mixed = 0, contention_first = 0;  ///< b_r, b_m, A, cycles
  /// Share u0 of the theoretical bandwidth at which queueing u/(1-u) diverges; u = traffic / u0.
  double contention_read_share = 0, contention_mixed_share = 0;
  double request_limit = 0;  ///< requests in flight per SM; 0: unknown
  double bus_bits = 0, channel_bits = 0, banks_per_channel = 0;  ///< 0: unknown
  double place_ns = 0;      ///< of a channel for a part of a line by itself; 0: its bytes only
  double beside_share = 1;  ///< of that, for the second line of a pair asked for at the same time
  /// (bytes, achievable GB/s) in allocation order; empty: a single segment.
  std::vector<std::pair<double, double>> segments;
  bool operator==(const MemoryFacts&) const = default;
};

/// Atomic operations, in cycles; 0: unknown. Facts "atomic.*".
struct AtomicFacts {
  double visit_cycles = 0, lane_cycles = 0, float_lane_cycles = 0;  ///< of a slice of L2
  double shared_lane_cycles = 0, shared_swap_cycles = 0;            ///< in shared memory
  bool operator==(const AtomicFacts&) const = default;
};

/// Matrix units: multiply-adds per cycle and SM, 0: unknown; shares of these. Facts "tensor.*".
struct TensorFacts {
  double half_macs = 0, single_macs = 0, double_macs = 0;
  double integer_macs = 0, byte_macs = 0, nibble_macs = 0, binary_macs = 0;
  double wide_sum_share = 1;  ///< with sums of 32 bits
  double warp_share = 1;      ///< for one warp, not a warp group
  double latency_share = 0;   ///< latency per further cycle of the scheduler's unit
  bool operator==(const TensorFacts&) const = default;
};

/// Queues in front of units, per scheduler unless stated otherwise; 0: unknown. Facts "queue.*".
struct QueueFacts {
  double memory_entries = 0, xu_entries = 0;
  double sm_requests = 0;    ///< per SM
  double source_cycles = 0;  ///< to collect one register
  double leave_cycles = 0, store_leave_cycles = 0;
  bool operator==(const QueueFacts&) const = default;
};

/// The engine of an SM that copies in bulk, and barriers in shared memory; 0: unknown. Facts
/// "copy.*".
struct CopyFacts {
  double bytes = 0;           ///< of shared memory per cycle
  double request_cycles = 0;  ///< for one line, or what a row takes of it
  double latency = 0;         ///< of a row of bytes, beyond that of a load from the same place
  double box_latency = 0;     ///< the same of a box
  double wake_latency = 0;  ///< end of a phase to the next instruction of a warp that waits for it
  bool operator==(const CopyFacts&) const = default;
};

/// The network between SMs of a cluster; 0: unknown, as own shared memory. Facts "cluster.*".
struct ClusterFacts {
  double latency = 0;  ///< of a load from another block's shared memory
  double bytes = 0;    ///< per cycle and SM
  bool operator==(const ClusterFacts&) const = default;
};

/// Constant cache of an SM; 0: unknown. Facts "constant.*".
struct ConstantFacts {
  /// A warp's load whose place the code says; 0: as one whose place is computed.
  double placed_load_cycles = 0;
  double line_bytes = 0, level1_bytes = 0;
  double miss_cycles = 0, hold_cycles = 0;
  bool operator==(const ConstantFacts&) const = default;
};

/// Instruction fetch; 0: unknown. Facts "fetch.*".
struct FetchFacts {
  double buffered = 0;  ///< instructions per warp
  double cache_bytes = 0;
  double line_cycles = 0;  ///< per line of code
  bool operator==(const FetchFacts&) const = default;
};

/// Power in W; 0: unknown. Facts "power.*".
struct PowerFacts {
  double limit_w = 0;
  double base_w = 0;   ///< whatever it does
  double clock_w = 0;  ///< at the boost clock; grows with its square
  bool operator==(const PowerFacts&) const = default;
};

/// Energy in pJ. Facts "energy.*".
struct EnergyFacts {
  double other = 0;  ///< per thread, of classes that have no energy of their own
  std::map<std::string, double, std::less<>> classes;  ///< per thread, by class name
  double memory_byte = 0, l2_byte = 0;
  double quiet_share = 1;  ///< of the energy, with data that are all alike
  bool operator==(const EnergyFacts&) const = default;
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
  bool sfu_common = false;        ///< one set of special function units for all schedulers
  double yield_cycles = 1;        ///< least cycles to the next issue after a yield
  double wide_multiply_hold = 0;  ///< cycles for which a wide multiplication holds the issue port
  double register_banks = 0;      ///< per scheduler
  double register_reads_per_bank = 0;  ///< per cycle
  double register_window = 0;          ///< cycles in which operands are read; 0: no limit
  double register_allocation = 0;      ///< cycles from issue to that window
  double barrier_seen = 0;             ///< cycles until a warp sees that a barrier is complete
  TensorFacts tensor;
  FetchFacts fetch;
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
  double lsu_cycles = 1;      ///< cycles of the SM's memory interface per memory instruction
  double shared_latency = 0;  ///< cycles
  L1Facts l1;
  L2Facts l2;
  MemoryFacts memory;
  AtomicFacts atomic;
  ConstantFacts constant;
  QueueFacts queue;
  CopyFacts copy;
  ClusterFacts cluster;
  double page_bytes = 0;  ///< of the TLB
  std::string host_link;  ///< name of the link to the host; empty: none is stated

  // Launch.
  double block_turnaround = 0;  ///< cycles between consecutive blocks in one slot, without load
  double block_launch_interval = 0;  ///< SM clocks per block launched, for the whole GPU
  double warp_launch_cycles = 0;
  double event_us = 0, stream_us = 0, graph_us = 0, host_us = 0;  ///< added by --timing

  PowerFacts power;
  EnergyFacts energy;

  std::vector<LatencyRules> rules;  ///< "default" first
  Facts facts;                      ///< all of the above with provenance

  bool operator==(const Gpu&) const = default;
  [[nodiscard]] const LatencyRules* rules_named(std::string_view rules_name) const;
  /// The number at `path`, or `otherwise`: a model's own constant, or a path from a file.
  [[nodiscard]] double number(std::string_view path, double otherwise = 0) const;
};

/// The highest clock in MHz: boards for games run above their boost clock.
[[nodiscard]] double highest_clock(const Gpu& gpu);

/// Peak device-memory bytes per cycle and SM at the sustained clock (Gajger 2017, eq. 4.7).
[[nodiscard]] double memory_bytes_per_cycle(const Gpu& gpu);

}  // namespace forewarp::hardware
