// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "binding/path.h"
#include "timing/sm.h"

namespace forewarp::tests {

using Cycles = std::vector<double>;

/// One hand-made instruction; times in cycles.
struct Op {
  double stall = 1;
  double latency = 4;
  std::uint8_t unit = no_unit;
  double taken = 1;
  std::uint8_t write = 7, read = 7;  ///< barriers that it sets
  std::uint8_t wait = 0;             ///< mask
  bool variable = false;
  double read_release = 0;
  double taken_stall = 0;  ///< 0: as stall
  bool is_branch = false, is_barrier = false, is_load = false, is_store = false;
  int scoreboard = -1, left = 0;  ///< DEPBAR.LE
  double port = 0;
  std::uint32_t constant = no_access, code_line = 0;
  std::vector<PortRead> ports{};
  std::vector<std::uint16_t> from{}, to{};  ///< scoreboard slots
  std::optional<TimedAccess> access{};
};

/// A hand-made SM with a kernel; says in which cycles each warp issued.
class SmBuilder {
 public:
  SmMachine machine;
  TimedKernel kernel;
  std::uint32_t resident = 1;
  std::uint64_t blocks = 1;

  /// One scheduler that goes on with a warp while it can, else takes the youngest.
  SmBuilder() { machine.policy.policy = Policy::greedy_youngest; }

  std::uint8_t unit(std::uint32_t queued = 0, bool common = false);
  /// Instructions that no warp executes yet; gives the range for a path.
  PathStep add(const std::vector<Op>& ops);
  /// A warp of every block that executes these.
  SmBuilder& warp(const std::vector<Op>& ops);
  SmBuilder& path(WarpPath path);
  /// One more warp that executes what the last one does.
  SmBuilder& again();

  /// Runs it; by block, warp in the block and then its issues.
  void run();
  /// The cycles in which this warp issued.
  [[nodiscard]] Cycles issues(std::uint32_t warp, std::uint32_t block = 0);
  /// The scheduler that a warp was put on.
  [[nodiscard]] std::uint32_t scheduler(std::uint32_t warp, std::uint32_t block = 0);
  [[nodiscard]] Recorder& recorder();
  [[nodiscard]] double drained();

 private:
  std::vector<WarpPath> paths_;
  std::optional<Recorder> recorder_;
  double drained_ = 0;
};

/// An access that is there from the first level; times as TimedAccess says.
[[nodiscard]] TimedAccess first_level(double collect, double leave, double after,
                                      double interface = 0);

}  // namespace forewarp::tests
