// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::result {

/// What a simulation saw on the SM that it followed. Times are cycles from the first block's start;
/// those of the whole grid are in `cycles` alone.
struct SimulationFacts {
  double cycles = 0;           ///< of the whole grid
  double followed_cycles = 0;  ///< of what was followed on one SM; all below is about it
  double ipc = 0;              ///< warp instructions per cycle of an SM
  double issue_cycles = 0;     ///< that an issue keeps a scheduler
  std::uint32_t schedulers = 0;
  std::vector<std::pair<std::string, double>> stack;  ///< schedulers' time by cause: shares

  struct Occupancy {
    double mean_warps = 0, most_warps = 0;
    double deviation = 0;                       ///< standard, while blocks came and went
    double below_half = 0;                      ///< share of the time with under half of the most
    double imbalance = 0;                       ///< n / (S ceil(n / S)) of n warps on S schedulers
    std::vector<std::array<double, 2>> points;  ///< cycle, mean warps from there to the next
    bool operator==(const Occupancy&) const = default;
  } occupancy;

  /// When the followed blocks ended.
  struct Ends {
    double count = 0;
    double first = 0, q25 = 0, median = 0, q75 = 0, last = 0;
    bool operator==(const Ends&) const = default;
  } blocks;

  struct Instruction {
    std::uint32_t address = 0;
    double issues = 0;
    std::vector<std::pair<std::string, double>> stalls;  ///< cycles per issue by cause
    bool operator==(const Instruction&) const = default;
  };
  std::vector<Instruction> instructions;

  /// The first issues: cycle, scheduler, block, warp, address, and the place in `causes` of what
  /// the scheduler had waited for (`issue`: it had not).
  using Issue = std::array<double, 6>;
  std::vector<std::string> causes;
  std::vector<Issue> timeline;

  double simulated_instructions = 0, of_instructions = 0;  ///< warp instructions of those SMs
  double error = 0;  ///< relative: what the shortcuts may cost

  bool operator==(const SimulationFacts&) const = default;
};

}  // namespace forewarp::result
