// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// The latest issue times of a warp that runs alone: s_k = max(s_{k-1} + spacing(k-1), over
// registers that k reads or writes: s_p + latency(p)). A later start never makes an end earlier, so
// worst costs give the worst end. Regions lie between barriers and readings of the clock.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "binding/issue_rules.h"
#include "execution/grid/warp_trace.h"
#include "timing/wcet/worst_kernel.h"

namespace forewarp::timing {

/// Cycles by what they are spent on.
struct WorkCycles {
  double compute = 0, load = 0, store = 0;

  [[nodiscard]] double total() const { return compute + load + store; }
  [[nodiscard]] double& of(WorkPart part) {
    return part == WorkPart::load ? load : part == WorkPart::store ? store : compute;
  }
  WorkCycles& operator+=(const WorkCycles& other) {
    compute += other.compute;
    load += other.load;
    store += other.store;
    return *this;
  }
};

/// All passes of a warp through one region.
struct RegionTime {
  double count = 0;   ///< passes
  WorkCycles cycles;  ///< sum over all passes
  double most = 0;    ///< cycles of the longest pass
};

/// The instruction indices at which a region begins and ends; the kernel's size stands for its end.
using RegionKey = std::pair<std::uint32_t, std::uint32_t>;

/// Upper bound of the time of a warp that runs alone.
struct WarpBound {
  double cycles = 0;
  double units = 0;     ///< cycles for which it holds units that other warps share
  double delays = 0;    ///< instructions after which its issue slot may be taken
  double barriers = 0;  ///< barriers that it passes
  std::array<double, static_cast<std::size_t>(Component::count_)> components{};
  std::map<RegionKey, RegionTime> regions;
};

/// Follows one warp's path. Once a loop's passes repeat exactly, the rest of them are multiplied.
class WarpTimeline {
 public:
  explicit WarpTimeline(const WorstKernel& worst);

  void follow(const std::vector<TraceStep>& steps);
  void issue(std::uint32_t instruction);
  /// Ends the warp when its last results are there.
  [[nodiscard]] WarpBound finish();

 private:
  /// Everything that the rest of the path depends on, in cycles relative to the next issue.
  struct State {
    std::array<double, WorstKernel::registers> ready{};
    std::uint32_t region_begin = 0;
    double region_length = 0;
    bool operator==(const State&) const = default;
  };
  [[nodiscard]] State state() const;
  void repeat(const TraceStep& loop);
  void skip(const WarpBound& before, double time, double passes);
  void close_region(std::uint32_t end, double now);
  void spend(const WorstInstruction& instruction, double cycles);

  const WorstKernel& worst_;
  IssueState<double> warp_;
  double region_start_ = 0;  ///< cycle
  std::uint32_t region_begin_ = 0;
  WorkCycles region_;
  WarpBound bound_;
};

}  // namespace forewarp::timing
