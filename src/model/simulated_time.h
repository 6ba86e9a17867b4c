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

/// What was seen on the SM that was followed, as plain data. Causes are those of
/// timing/machine/cause.h by name; times are cycles from the first block's start.
struct SimulatedDetail {
  using Shares = std::vector<std::pair<std::string_view, double>>;

  double cycles = 0;        ///< until its last block was through and its stores had left
  double ipc = 0;           ///< warp instructions per cycle
  double issue_cycles = 1;  ///< that an issue keeps a scheduler
  std::uint32_t schedulers = 0;

  struct Instruction {
    std::uint32_t index = 0;  ///< in the kernel
    double issues = 0;
    Shares stalls;  ///< cycles per issue by what its warp waited for before it
  };
  std::vector<Instruction> instructions;  ///< that were issued

  struct Occupancy {
    double mean_warps = 0, most_warps = 0;
    double deviation = 0;   ///< standard, while blocks came and went
    double below_half = 0;  ///< share of the time with under half of the most
    /// Throughput that whole warps on each scheduler leave: n / (S ceil(n / S)) of n warps.
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
    std::string_view waited;  ///< what the scheduler had waited for; "issue": it had not
  };
  std::vector<Issue> timeline;  ///< the first ones
};

/// What a warp finds that reads the SM's clock: from its first reading to its last, cycles.
struct ClockedWarp {
  std::uint32_t block = 0, warp = 0;
  double used = 0;  ///< between the issues that use the readings
  double read = 0;  ///< between the readings' own
};

/// What the simulation of a launch in time found.
struct SimulatedTime {
  double cycles = 0;        ///< of the whole grid, first block's start to last block's end
  double issued = 0;        ///< warp instructions that were simulated
  double of = 0;            ///< .. of so many that the simulated SMs execute
  double error = 0;         ///< relative: what the shortcuts may cost
  double warps_per_sm = 0;  ///< resident, mean over the time
  std::vector<std::pair<std::string_view, double>> schedulers;  ///< cause, share of their time
  SimulatedDetail detail;
  std::vector<ClockedWarp> clocked;  ///< warps that read the clock twice or more
  std::string warning;               ///< what the chosen policy cannot do; empty: nothing
  std::string refusal;               ///< why there is no time; empty: there is
};

/// How a launch is to be simulated; what the model sim's options say.
struct SimulationChoice {
  int policy = 0;  ///< 0: that of the GPU, else one of timing/stages/issue_policy.h plus one
  double group = 8, rate = 2;
  bool work_conserving = true;
  /// How much later device memory answers under load: not, by the fitted curves of the closed
  /// models, or as requests that meet at its banks by chance.
  enum class Contention : std::uint8_t { off, fitted, banks };
  Contention contention = Contention::fitted;
  double most_issues = 0;  ///< that are followed; 0: as many as usual
  bool operator==(const SimulationChoice&) const = default;
};

/// Simulates launches of one kernel. timing has the simulation, driver connects it.
class Simulator {
 public:
  virtual ~Simulator() = default;
  [[nodiscard]] virtual std::shared_ptr<const SimulatedTime> time(
      const ModelInput& input, const SimulationChoice& choice) const = 0;
};

}  // namespace forewarp::model
