// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forewarp {

struct ModelInput;

/// One issue of the timeline.
struct SimulatedIssue {
  double cycle = 0;
  std::uint32_t scheduler = 0, block = 0, warp = 0;
  std::uint32_t instruction = 0;  ///< index in the kernel
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
  std::vector<SimulatedIssue> timeline;  ///< the first issues, as many as were asked for
  std::vector<ClockedWarp> clocked;      ///< warps that read the clock twice or more
  std::string warning;      ///< what the chosen policy cannot do; empty: nothing
  std::string refusal;      ///< why there is no time; empty: there is
};

/// How a launch is to be simulated; what the model sim's options say.
struct SimulationChoice {
  int policy = 0;  ///< 0: that of the GPU, else one of timing/stages/issue_policy.h plus one
  double group = 8, rate = 2;
  bool work_conserving = true;
  double most_issues = 0;  ///< that are followed; 0: as many as usual
  double timeline = 0;     ///< issues to keep one by one
};

/// Simulates launches of one kernel. timing has the simulation, driver connects it.
class Simulator {
 public:
  virtual ~Simulator() = default;
  [[nodiscard]] virtual std::shared_ptr<const SimulatedTime> time(
      const ModelInput& input, const SimulationChoice& choice) const = 0;
};

}  // namespace forewarp
