// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <simgrid/s4u/Semaphore.hpp>
#include <string>
#include <utility>
#include <vector>

#include "system/engine/predicted_kernel.h"
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

/// A batch of operations on one device that are launched at once, as often as is asked for.
struct Graph {
  /// Nodes that follow each other, in a stream that only the graph gives to.
  struct Branch {
    std::unique_ptr<Stream> stream;
    std::uint64_t nodes = 0;
  };
  /// One operation, once what it follows has ended.
  struct Node {
    Stream::Operation work;
    std::size_t branch = 0;
    std::uint64_t count = 1;         ///< nodes of its branch up to it, with it
    std::vector<std::size_t> after;  ///< nodes of other branches
    bool is_first = false;           ///< it follows nothing
  };

  std::size_t device = 0;
  std::vector<Node> nodes;
  std::vector<Branch> branches;
  LaunchCosts costs;  ///< where the host's file does not say: the largest of its kernels'
  bool is_launched = false;
  std::uint64_t runs = 0;             ///< that have ended
  simgrid::s4u::SemaphorePtr free{};  ///< two launches of one graph follow each other
  Instant last{};                     ///< end of the last launch
};

}  // namespace forewarp::system
