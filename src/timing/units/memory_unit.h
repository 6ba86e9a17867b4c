// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "timing/machine/cause.h"
#include "timing/machine/timed_kernel.h"
#include "timing/units/device_path.h"
#include "timing/units/server.h"

namespace forewarp::timing {

/// When an access was through.
struct AccessTimes {
  Ticks left = 0;  ///< its sub-core's queue: sources are read
  Ticks done = 0;  ///< a reader may issue
  Cause level = Cause::shared;
};

/// The SM's way to memory: a queue and a collector per sub-core, one interface, one data stage, a
/// port to L2 with a way for either direction, a share of device memory. A sub-core keeps its
/// order.
class MemoryUnit {
 public:
  MemoryUnit(const SmMachine& machine, DevicePath* device)
      : machine_(&machine),
        device_(device),
        collectors_(machine.schedulers, 0),
        queues_(machine.schedulers),
        inside_(machine.sm_requests, 0) {
    for (auto& queue : queues_) queue.left.resize(machine.memory_queue, 0);
  }

  /// Earliest time at which the queue of `scheduler` has room.
  [[nodiscard]] Ticks room(std::uint32_t scheduler) const {
    const Queue& queue = queues_[scheduler];
    return queue.left.empty() ? 0 : queue.left[queue.next];
  }

  /// An instruction issued at `at`. `draw`: of 2^32, where its data are.
  AccessTimes take(const TimedAccess& access, std::uint32_t scheduler, Ticks at,
                   std::uint64_t draw);

  /// When all that was posted is in L2, which keeps it.
  [[nodiscard]] Ticks drained() const { return drained_; }

 private:
  struct Queue {
    std::vector<Ticks> left;  ///< when the last ones left, a ring
    std::size_t next = 0;     ///< oldest of them
  };

  void go_beyond(const TimedAccess& access, std::uint64_t draw, Ticks begin, AccessTimes& times);

  const SmMachine* machine_;
  DevicePath* device_;
  Calendar interface_, data_;  ///< sub-cores announce what leaves them later
  Server l2_;
  Server stores_;  ///< the way to L2: what is read comes back on the other, l2_
  std::vector<Ticks> collectors_;
  std::vector<Queue> queues_;
  std::vector<Ticks> inside_;  ///< when the last requests left the SM's unit, a ring
  std::size_t oldest_ = 0;
  Ticks drained_ = 0;
  Ticks served_ = 0;  ///< device memory is through with what this SM asked for
};

}  // namespace forewarp::timing
