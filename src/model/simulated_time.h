// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forewarp::model {

struct ModelInput;

/// What was recorded on the simulated SM, as plain data. Causes are those of timing/machine/cause.h
/// by name; times are cycles from the first block's start.
struct SimulatedDetail {
  using Shares = std::vector<std::pair<std::string_view, double>>;

  double cycles = 0;        ///< until its last block had ended and its stores had left
  double ipc = 0;           ///< warp instructions per cycle
  double issue_cycles = 1;  ///< for which one issue occupies a scheduler
  std::uint32_t schedulers = 0;

  struct Instruction {
    std::uint32_t index = 0;  ///< index in the kernel
    double issues = 0;
    Shares stalls;  ///< cycles per issue that its warp waited before it, by cause
  };
  std::vector<Instruction> instructions;  ///< only those that issued

  struct Occupancy {
    double mean_warps = 0, most_warps = 0;
    double deviation = 0;   ///< standard, between the first departure and the last arrival
    double below_half = 0;  ///< share of the time with fewer than half of the highest
    /// Throughput lost to uneven schedulers: n / (S ceil(n / S)) is left with n warps on S of them.
    double imbalance = 1;
    std::vector<std::pair<double, double>> points;  ///< cycle, mean warps from there on
  } occupancy;

  /// When blocks ended.
  struct Ends {
    std::uint64_t blocks = 0;
    double first = 0, q25 = 0, median = 0, q75 = 0, last = 0;
  } ends;

  struct Issue {
    double cycle = 0;
    std::uint32_t scheduler = 0, block = 0, warp = 0, instruction = 0;
    std::string_view waited;  ///< what the scheduler waited for before it; "issue": nothing
  };
  std::vector<Issue> timeline;  ///< the first issues

  /// How long the accesses of one instruction took, from their issue to when a reader may issue.
  struct Latency {
    std::uint32_t index = 0;  ///< index in the kernel
    double count = 0;
    double mean = 0, deviation = 0, least = 0, most = 0;  ///< cycles
    double width = 1;                                     ///< of a bin of `bins`, cycles
    std::vector<double> bins;  ///< accesses from 0, `width`, 2 `width` .. cycles on
    Shares levels;             ///< shares by where the data were
  };
  std::vector<Latency> latencies;  ///< of instructions that read memory
};

/// Cycles between the first and the last reading of the SM's clock by one warp.
struct ClockedWarp {
  std::uint32_t block = 0, warp = 0;
  double used = 0;  ///< between the first uses of the two readings
  double read = 0;  ///< between the readings themselves
};

/// The result of simulating a launch.
struct SimulatedTime {
  double cycles = 0;        ///< of the whole grid, the first block's start to the last one's end
  double issued = 0;        ///< warp instructions that were simulated
  double of = 0;            ///< warp instructions of the whole launch
  double error = 0;         ///< relative error that the shortcuts may cause
  double warps_per_sm = 0;  ///< resident warps, mean over time
  std::vector<std::pair<std::string_view, double>> schedulers;  ///< share of their time by cause
  SimulatedDetail detail;
  std::vector<ClockedWarp> clocked;  ///< warps that read the clock twice or more
  std::string warning;               ///< what the chosen policy cannot do; empty: no warning
  std::string refusal;               ///< why there is no time; empty: there is one
};

/// Bytes of memory that it takes, for a cache.
[[nodiscard]] inline std::size_t kept_bytes(const SimulatedTime& time) {
  const auto of = [](const auto& values) { return values.size() * sizeof(*values.data()); };
  std::size_t bytes = sizeof time + of(time.schedulers) + of(time.clocked) +
                      of(time.detail.timeline) + 4 * of(time.detail.instructions);
  for (const SimulatedDetail::Latency& latency : time.detail.latencies) {
    bytes += sizeof latency + of(latency.bins) + of(latency.levels);
  }
  return bytes;
}

/// What a simulation leaves out, to see what it costs.
struct LeftOut {
  bool memory_rates = false;    ///< L2, device memory and the way there serve any number at once
  bool memory_unit = false;     ///< so do the SM's memory unit and shared memory
  bool pipes = false;           ///< so do pipes, issue slots, register ports and fetch
  bool memory_latency = false;  ///< global and local memory answer at once
  bool other_latency = false;   ///< results of arithmetic and shared memory are ready at once
  bool barriers = false;        ///< warps do not wait for each other
  bool operator==(const LeftOut&) const = default;
};

/// How a launch is to be simulated: the options of the model sim.
struct SimulationChoice {
  int policy = 0;  ///< 0: that of the GPU, else one of timing/stages/issue_policy.h plus one
  double group = 8, rate = 2;
  bool work_conserving = true;
  /// How the latency of device memory grows with load: not at all, by the fitted curves of the
  /// closed models, or as requests meet at its banks by chance.
  enum class Contention : std::uint8_t { off, fitted, banks };
  Contention contention = Contention::fitted;
  double most_issues = 0;  ///< warp instructions to simulate; 0: the default number
  LeftOut left_out;
  bool operator==(const SimulationChoice&) const = default;
};

/// Simulates launches of one kernel; implemented in timing, connected by driver.
class Simulator {
 public:
  virtual ~Simulator() = default;
  [[nodiscard]] virtual std::shared_ptr<const SimulatedTime> time(
      const ModelInput& input, const SimulationChoice& choice) const = 0;
};

}  // namespace forewarp::model
