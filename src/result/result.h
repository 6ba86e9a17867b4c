// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "result/simulation.h"

namespace forewarp::result {

/// The rich result of one prediction: everything a report shows, made once from the flat records
/// of the models. It carries its own listing, so a saved result can be shown without the kernel.
/// Times are milliseconds, sizes bytes, clocks MHz, shares 0..1. Keys of the JSON: docs/result.md.
struct Result {
  std::string id;                   ///< the case's id; empty outside --cases
  std::optional<Diagnostic> error;  ///< why there is no time

  struct KernelFacts {
    std::string name, mangled, input, arch, sha256;
    std::uint32_t registers = 0, static_shared = 0, local_bytes = 0;
    std::string registers_source;  ///< "stated", "inferred"
    std::uint32_t instructions = 0, unknown_opcodes = 0;
    bool operator==(const KernelFacts&) const = default;
  } kernel;

  struct GpuFacts {
    std::string id, name, cc, file, parameter_set;
    std::uint32_t sms = 0;
    double clock_mhz = 0;
    bool operator==(const GpuFacts&) const = default;
  } gpu;

  struct LaunchFacts {
    std::array<std::uint32_t, 3> grid{}, block{};
    std::uint32_t dynamic_shared = 0;
    std::vector<std::pair<std::string, std::string>> arguments;  ///< name or index -> value as text
    bool operator==(const LaunchFacts&) const = default;
  } launch;

  /// A copy between host and device that `time_ms` includes.
  struct Copy {
    double bytes = 0;
    std::string direction, memory;  ///< h2d or d2h; pageable or pinned
    double time_ms = 0;
    std::string model;  ///< linear, staging
    bool operator==(const Copy&) const = default;
  };
  struct LinkFacts {
    std::string id, name;
    bool operator==(const LinkFacts&) const = default;
  };
  double device_ms = 0;      ///< of the kernel alone, if there are copies
  LinkFacts link;            ///< link that the copies use
  std::vector<Copy> copies;  ///< in the order of the case

  /// Power of the board under the kernel, if the clock was determined by it (--clock load) or a
  /// table of boards shows it; without a limit: neither.
  struct Power {
    double watts = 0, limit_w = 0, joules = 0;
    bool operator==(const Power&) const = default;
  } power;

  double time_ms = 0;  ///< copies included
  std::array<double, 2> interval_ms{};
  std::string interval_meaning;
  std::string interval_class;  ///< of launches whose residuals it comes from
  std::string timing;          ///< device, event, stream, graph, host
  std::string model;
  std::string chosen_because;
  std::string models_differ;  ///< one sentence; empty: they agree, or only one applies
  std::vector<std::pair<std::string, std::string>> model_options;  ///< as used, for the echo

  struct LimitedBy {
    std::string resource;
    double share = 0;
    std::string sentence;
    bool operator==(const LimitedBy&) const = default;
  } limited_by;

  struct Occupancy {
    std::uint32_t blocks_per_sm = 0, warps_per_sm = 0, max_warps_per_sm = 0;
    std::vector<std::string> limiter;
    double needed_warps = 0;
    double waves = 0;
    bool latency_hidden = false;
    /// (block size, warps per SM) for the picture.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> curve;
    bool operator==(const Occupancy&) const = default;
  } occupancy;

  struct Latency {
    double cycles = 0;
    std::string formula;  ///< "918 + 24*a"
    bool operator==(const Latency&) const = default;
  } latency;

  /// The time if this resource were the only limit.
  struct Bound {
    std::string resource;  ///< issue, fp32, dram, ..
    std::string label;     ///< for reports: "CUDA cores", "DRAM"
    double cycles_per_warp = 0;
    double time_ms = 0;
    double share = 0;     ///< of the predicted time
    std::string formula;  ///< "6.5 + 1*a" cycles per warp; empty when constant
    bool operator==(const Bound&) const = default;
  };
  std::vector<Bound> bounds;  ///< tightest first

  struct Profile {
    double warp_instructions = 0, thread_instructions = 0;
    double executed_blocks = 0, of_blocks = 0;
    std::vector<std::pair<std::string, double>> by_class;  ///< warp instructions of the grid
    double global_load_requests = 0, global_load_sectors = 0, global_store_sectors = 0;
    double shared_wavefronts = 0, l2_read_sectors = 0, l2_write_sectors = 0;
    double l1_hit_rate = 0, l2_hit_rate = 0, dram_read_bytes = 0, dram_write_bytes = 0;
    std::string source = "static";  ///< executed, static, trace
    double relative_error = 0;      ///< 95 % bound on warp_instructions; 0 where all blocks ran
    double memory_error = 0;        ///< the same of the sectors; 0 if all blocks were replayed
    double branch_efficiency = 1;   ///< share of branches whose lanes all went the same way
    double local_sectors = 0, atomic_requests = 0;
    double unique_read_bytes = 0, unique_write_bytes = 0;  ///< touched at least once
    double pages = 0, page_bytes = 0;                      ///< of global memory, touched
    double hit_rate_error = 0;         ///< absolute, of both hit rates, if a part was replayed
    double dram_error = 0;             ///< relative, of dram_read_bytes
    double replayed_share = 0;         ///< of the grid's sectors, through the caches
    double left_out_blocks = 0;        ///< too long to be executed: no other count has them
    double left_out_instructions = 0;  ///< warp instructions of those, counted or at least
    /// Thread instructions of the grid (lanes whose guard held) by class.
    std::vector<std::pair<std::string, double>> threads_by_class;
    std::vector<std::pair<std::string, double>> threads_by_opcode;  ///< the same by base mnemonic
    /// Of the whole grid, with those of blocks that were left out.
    [[nodiscard]] double all_instructions() const {
      return warp_instructions + left_out_instructions;
    }
    bool operator==(const Profile&) const = default;
  } profile;

  /// What warps did in detail; empty if the kernel was not executed. Addresses are those of
  /// instructions, counts those of the whole grid.
  struct Execution {
    struct Loop {
      std::uint32_t begin = 0, end = 0;
      double entries = 0, mean_passes = 0;
      std::string formula;                        ///< of the static analysis, if it has one
      std::vector<std::array<double, 2>> passes;  ///< passes of an entry -> entries
      bool operator==(const Loop&) const = default;
    };
    struct Branch {
      std::uint32_t address = 0;
      double executed = 0;     ///< warps that reached it
      double taken_share = 0;  ///< of the lanes
      double divergent = 0;    ///< warps whose lanes went both ways
      bool operator==(const Branch&) const = default;
    };
    struct Path {
      double warps = 0, instructions = 0;  ///< warps on this path; instructions of each
      double block = 0, warp = 0;          ///< the first of them
      bool operator==(const Path&) const = default;
    };
    struct Access {
      std::uint32_t address = 0;
      std::string text, space;
      double requests = 0, lanes = 0, sectors = 0, lines = 0, transactions = 0;
      double wavefronts = 0, tag_lookups = 0;
      double sectors_per_request = 0, l1_hit_rate = 0, l2_hit_rate = 0;
      bool operator==(const Access&) const = default;
    };
    std::vector<Loop> loops;
    std::vector<Branch> branches;
    std::vector<Path> paths;  ///< most frequent first
    double other_paths_warps = 0;
    std::vector<Access> accesses;
    bool operator==(const Execution&) const = default;
  } execution;

  struct ModelTime {
    std::string name;
    double time_ms = 0;
    bool applies = true;
    std::string why;
    std::vector<std::pair<std::string, double>> numbers;  ///< the model's own figures by name
    std::vector<std::pair<std::string, double>> stack;    ///< cycles of a warp by part
    bool operator==(const ModelTime&) const = default;
  };
  std::vector<ModelTime> models;

  /// A warp of the simulated SM that read its clock: cycles from the first reading to the last.
  struct ClockedWarp {
    std::uint32_t block = 0, warp = 0;
    double used_cycles = 0, read_cycles = 0;  ///< between the readings' users; the readings
    bool operator==(const ClockedWarp&) const = default;
  };
  std::vector<ClockedWarp> clocks;

  /// An upper bound on the block's time on its SM (`--wcet`, docs/wcet.md); no cycles: not asked.
  struct WorstCase {
    struct Component {
      std::string name, timing_class, because;
      double cycles = 0;  ///< of the bound
      bool operator==(const Component&) const = default;
    };
    /// From one barrier or clock reading to the next; if all feasible paths count, a basic block.
    struct Region {
      std::uint32_t begin = 0, end = 0;  ///< addresses of instructions; end may lie behind the last
      std::string part;                  ///< the largest part of it: load, compute, store
      double count = 0, cycles = 0;      ///< passes of a warp; cycles of all passes
      double longest = 0;                ///< cycles of the longest pass
      double load_cycles = 0, compute_cycles = 0, store_cycles = 0;
      bool operator==(const Region&) const = default;
    };
    double cycles = 0, time_ms = 0;
    double interference_cycles = 0;  ///< part of `cycles`: contention between warps
    std::uint32_t warps = 0;
    std::string path;                     ///< executed, feasible
    std::string component, timing_class;  ///< the least predictable component
    std::vector<Component> components;
    std::vector<std::string> assumptions;
    std::vector<Region> per_region;
    bool operator==(const WorstCase&) const = default;
  } wcet;

  struct Finding {
    std::string kind, text;
    bool operator==(const Finding&) const = default;
  };
  std::vector<Finding> findings;

  struct Assumption {
    std::string id, text, change_with;
    bool operator==(const Assumption&) const = default;
  };
  std::vector<Assumption> assumptions;

  /// Shares of a warp's resident time by cause; they add up to 1.
  std::map<std::string, double> stalls;

  SimulationFacts simulation;  ///< no cycles if the model does not simulate

  /// The time if something were free, by running the model again.
  struct Counterfactual {
    std::vector<std::string> free;  ///< what is free: one thing, or two at once
    std::string label;              ///< "device memory bandwidth"
    double time_ms = 0, ratio = 1;  ///< ratio: to time_ms of the result
    std::string then;               ///< what limits then
    bool operator==(const Counterfactual&) const = default;
  };
  std::vector<Counterfactual> counterfactuals;  ///< best first, then pairs

  /// One line of the annotated listing.
  struct ListingLine {
    std::uint32_t address = 0;
    std::string text;
    std::string instruction_class, pipe;
    double executions = 0;           ///< per warp
    double lanes = 0;                ///< mean lanes whose guard held; 0: not executed
    std::string memory;              ///< "4 sectors, L1 50 %": of one execution, if it was executed
    std::string executions_formula;  ///< "a"
    double latency = 0;              ///< cycles to its dependents
    double issue_cycle = -1;         ///< in the first pass of the lone warp; -1: not on the path
    bool critical = false;           ///< on the latency-bound path
    double path_cycles = 0;          ///< its cycles on that path, all passes of its loops
    std::string waits_for;           ///< what its issue waited for: "R0 from 0x00b8 (350)"
    bool loop_head = false;
    int loop_depth = 0;
    bool dual_with_next = false;
    std::string control;            ///< "stall 4, sets 0 when written"; empty: no control word
    std::string source_file;        ///< empty: not known
    std::uint32_t source_line = 0;  ///< 0: not known
    double time_share = 0;          ///< of the warps' time, as SourceLine::time_share
    bool operator==(const ListingLine&) const = default;
  };
  std::vector<ListingLine> listing;

  /// A source line with the cost of its instructions. The shares of all lines add up to 1.
  struct SourceLine {
    std::string file;
    std::uint32_t line = 0;
    std::string text;  ///< empty: the source was not found
    std::uint32_t instructions = 0;
    double executions = 0;     ///< warp instructions per warp
    double issue_share = 0;    ///< of all warp instructions
    double time_share = 0;     ///< of the warps' time, or of what source_weighed_by says
    double traffic_share = 0;  ///< of the sectors that global and local accesses request
    std::string memory;        ///< of its costliest accesses: "4 sectors, L1 50 %; 2 wavefronts"
    std::string waits;         ///< what its warps mostly wait for
    int loop_depth = 0;
    bool operator==(const SourceLine&) const = default;
  };
  std::vector<SourceLine> source;

  /// A loop with the source lines that it spans.
  struct SourceLoop {
    std::string file;
    std::uint32_t first_line = 0, last_line = 0;
    std::uint32_t address = 0;  ///< of its first instruction
    double trips = 0;           ///< passes per entry
    std::string formula;        ///< of the trips: "n/16"
    double time_share = 0;
    int depth = 0;
    bool operator==(const SourceLoop&) const = default;
  };
  std::vector<SourceLoop> source_loops;  ///< outer ones first
  std::string source_weighed_by;  ///< what time_share counts: "simulated issues and waits" ..

  /// Hardware numbers to which this prediction is sensitive.
  struct Provenance {
    std::string path, unit, source, confidence;
    double value = 0;
    bool operator==(const Provenance&) const = default;
  };
  std::vector<Provenance> provenance;
  /// Every option in effect, by its command-line name, as text: two results of a sweep differ here.
  std::vector<std::pair<std::string, std::string>> options;
  std::string tool_version;

  bool profile_only = false;  ///< no model was run: no time, bounds, occupancy; no JSON key
  [[nodiscard]] bool predicted() const { return !error && !profile_only; }
  bool operator==(const Result&) const = default;
};

}  // namespace forewarp::result
