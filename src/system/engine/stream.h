// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <simgrid/s4u/Semaphore.hpp>
#include <string>
#include <utility>
#include <vector>

#include "system/engine/process.h"
#include "system/engine/timeline.h"

namespace forewarp::system {

/// Operations on one device that follow each other, while the process that gave them goes on.
class Stream {
 public:
  using Operation = std::function<void(std::uint32_t lane, Instant given)>;

  Stream(std::uint32_t lane, std::size_t device) : lane_(lane), device_(device) {}

  [[nodiscard]] std::size_t device() const { return device_; }
  [[nodiscard]] std::uint32_t lane() const { return lane_; }
  [[nodiscard]] std::uint64_t given() const { return given_; }
  [[nodiscard]] std::uint64_t done() const { return done_; }
  [[nodiscard]] double done_at() const { return done_at_; }

  /// Starts the actor that works the operations off, on the unit of the device.
  void open(const std::string& name, simgrid::s4u::Host* host);
  void give(Operation operation, Instant at);
  /// Stops the calling actor until so many operations are done.
  void wait_done(std::uint64_t count);

 private:
  void work();

  std::uint32_t lane_;
  std::size_t device_;
  std::uint64_t given_ = 0, done_ = 0;
  double done_at_ = 0;
  std::deque<std::pair<Operation, Instant>> waiting_;
  std::vector<std::pair<std::uint64_t, simgrid::s4u::SemaphorePtr>> waiters_;
  simgrid::s4u::SemaphorePtr ready_{};
};

}  // namespace forewarp::system
