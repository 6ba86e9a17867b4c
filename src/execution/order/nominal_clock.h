// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "execution/state/clocks.h"
#include "execution/state/memory_access.h"

namespace forewarp::execution {

/// The block that accesses memory: its number in the grid, and its place among those resident.
struct AccessingBlock {
  std::uint64_t number = 0;
  std::size_t place = 0;
};

/// Simulated time without a GPU: an instruction is one step, a trip to memory as long as many. It
/// decides who comes first, and about how often a loop repeats until a clock has gone far enough;
/// times are a matter of the GPU.
class NominalClock {
 public:
  struct WarpTime {
    double at = 0;
    double trip = 0;  ///< of the last instruction
  };
  void begin(WarpTime& warp, double at) const { warp = {at, 0}; }
  /// Earliest issue of the warp's next instruction.
  [[nodiscard]] double next(const WarpTime& warp, std::uint32_t) const { return warp.at; }
  void issue(WarpTime& warp, std::uint32_t, double at) const { warp = {at, 0}; }
  /// The last instruction is over; `jumps`: the next one is not the one behind it.
  void settle(WarpTime& warp, std::uint32_t, bool) const { warp.at += 1 + warp.trip; }
  void sleep(WarpTime& warp, double nanoseconds) const { warp.trip += nanoseconds / nominal_ns; }
  /// It accessed global memory, and waited `queued` for others on the same word.
  void accessed(WarpTime& warp, const MemoryAccess& access, const AccessingBlock&, bool,
                double queued) const {
    const bool returns = access.kind == AccessKind::load || access.kind == AccessKind::atomic;
    if (returns) warp.trip += trip_steps + queued;
  }
  /// When the warp could go on after what it has settled.
  [[nodiscard]] double follows(const WarpTime& warp) const { return warp.at; }
  /// The warp goes on no earlier than at `at`.
  void release(WarpTime& warp, double at) const {
    if (warp.at < at) warp.at = at;
  }
  [[nodiscard]] double word_time(const MemoryAccess&) const { return 1; }
  [[nodiscard]] double poll_time() const { return 0; }
  [[nodiscard]] std::uint64_t lines() const { return 0; }
  [[nodiscard]] double launch_interval() const { return 1; }
  [[nodiscard]] double turnaround() const { return trip_steps; }
  [[nodiscard]] std::uint64_t cycles(double at) const {
    return static_cast<std::uint64_t>(at * nominal_cycles);
  }
  [[nodiscard]] std::uint64_t nanoseconds(double at) const {
    return static_cast<std::uint64_t>(at * nominal_ns);
  }

 private:
  static constexpr double trip_steps = 64;
};

}  // namespace forewarp::execution
