// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "system/engine/flows.h"
#include "system/engine/platform.h"

namespace forewarp::system {

/// The processes of a group by the part of the system that they run in: islands of GPUs in nodes.
struct Islands {
  using Ranks = std::vector<std::uint32_t>;

  std::vector<Ranks> islands;    ///< in the order of their first processes
  std::vector<Ranks> positions;  ///< the first of each island, the second of each ..
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  ///< island and position of each
  std::string uneven;  ///< two islands with different counts; then there are no positions
};

/// `units`: where each rank runs; `ranks`: of the group.
Islands islands_of(const System& system, const std::vector<std::size_t>& units,
                   const Islands::Ranks& ranks);

/// Rings that run side by side: in each step every process gives a share of the data to the next of
/// its ring.
struct RingPhase {
  std::vector<std::pair<std::size_t, std::size_t>> edges;  ///< units
  std::uint32_t steps = 0;
  double share = 0;  ///< of the data, in one step
  double latency_s = 0, bytes_per_s = 0;
};

/// A collective made of rings, as a closed form: steps (latency + data share / rate), phase after
/// phase, from the moment at which the last process has come. That is when messages would be
/// through, too, whoever came last, as long as all steps of a phase take the same time: a ring
/// hands on every delay within its first p - 1 steps.
class RingPlan {
 public:
  /// Adds rings of `ranks`, one for each entry; rings of one process need nothing.
  void add(const std::vector<Islands::Ranks>& rings, const std::vector<std::size_t>& units,
           std::uint32_t rounds, double share);
  /// Looks up latencies and rates, each link shared evenly by the rings that pass it.
  void measure(Platform& platform);

  [[nodiscard]] const std::vector<RingPhase>& phases() const { return phases_; }
  /// Why steps do not all take the same time; empty: they do.
  [[nodiscard]] const std::string& obstacle() const { return obstacle_; }
  [[nodiscard]] double seconds(double bytes) const;
  /// Whether something passes its links now.
  [[nodiscard]] bool is_disturbed(const Flows& flows) const;

 private:
  void measure(Platform& platform, RingPhase& phase);

  std::vector<RingPhase> phases_;
  std::vector<std::size_t> links_;
  std::string obstacle_;
};

}  // namespace forewarp::system
