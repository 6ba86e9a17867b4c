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

/// When an access passed each stage.
struct AccessTimes {
  Ticks left = 0;  ///< left its sub-core's queue: its sources are read
  Ticks done = 0;  ///< its result is there: a reader may issue
  Cause level = Cause::shared;
};

/// The SM's way to memory: a queue and a collector per sub-core, one interface, one data stage, a
/// port to L2 with one path per direction, and a share of device memory. Accesses of one sub-core
/// stay in order.
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

  /// The earliest time at which the queue of `scheduler` has room.
  [[nodiscard]] Ticks room(std::uint32_t scheduler) const {
    const Queue& queue = queues_[scheduler];
    return queue.left.empty() ? 0 : queue.left[queue.next];
  }

  /// An instruction issued at `at`. `draw`, out of 2^32, decides which level has its data.
  AccessTimes take(const TimedAccess& access, std::uint32_t scheduler, Ticks at,
                   std::uint64_t draw);

  /// Reserves shared memory for matrices that the tensor unit reads from `at` on; returns when.
  Ticks feed(Ticks now, Ticks at, Ticks time) { return time > 0 ? data_.take(now, at, time) : at; }

  /// A copy in bulk that was issued at `at`; returns when its bytes are there, or have left.
  Ticks copy(const TimedAccess& access, Ticks at, std::uint64_t draw);

  /// When everything posted has reached L2, which keeps it.
  [[nodiscard]] Ticks drained() const { return drained_; }

 private:
  struct Queue {
    std::vector<Ticks> left;  ///< when the last entries left: a ring
    std::size_t next = 0;     ///< the oldest of them
  };

  void go_beyond(const TimedAccess& access, std::uint64_t draw, Ticks begin, AccessTimes& times);

  /// Of a request that passed the port then; returns how long it waits for L2.
  Ticks pass_l2(const TimedAccess& access, Ticks port);

  const SmMachine* machine_;
  DevicePath* device_;
  Calendar interface_, data_;  ///< reserved ahead: from when an access leaves its queue
  Server engine_;              ///< of copies in bulk
  Server l2_;
  Server stores_;  ///< the path to L2; what is read comes back on the other, l2_
  std::vector<Ticks> collectors_;
  std::vector<Queue> queues_;
  std::vector<Ticks> inside_;  ///< when the last requests left the SM's unit: a ring
  std::size_t oldest_ = 0;
  Ticks drained_ = 0;
  Ticks written_ = 0;  ///< when L2 has taken in what this SM stored
  Ticks served_ = 0;   ///< when L2 and device memory have served what this SM asked for
};

}  // namespace forewarp::timing
