// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <simgrid/s4u/Comm.hpp>
#include <vector>

#include "system/engine/platform.h"
#include "system/engine/signal.h"

namespace simgrid::kernel::timer {
class Timer;
}

namespace forewarp::system {

/// Bytes on their way, and what else passes before they are there.
class Flow {
 public:
  /// Stops the calling actor until all is there.
  void wait(Signal& signal);
  /// Releases the signal once all is there. At most two wait at a time, who sent and who receives,
  /// and keep the flow meanwhile.
  void tell(Signal& signal);

 private:
  friend class Flows;
  using Timer = simgrid::kernel::timer::Timer;

  [[nodiscard]] bool is_there() const;
  void release_in_time();
  void release();

  const Platform::Route* route_ = nullptr;
  double latency_s_ = 0;     ///< passes after the last byte left
  double soonest_ = 0;       ///< not there before, whatever happens on the links
  double there_at_ = 0;      ///< once the last byte left
  double end_ = 0;           ///< of a flow that is alone, if it stays so
  bool left_ = false;        ///< the last byte
  bool is_awaited_ = false;  ///< somebody goes on once all is there
  Timer* timer_ = nullptr;
  simgrid::s4u::CommPtr comm_{};
  std::array<Signal*, 2> waiters_{};
  std::shared_ptr<Flow> self_{};  ///< until the last byte left
};

/// All that moves on the links of a platform. SimGrid shares a link among the flows that pass it. A
/// flow that is alone on all its links has nothing to share and ends at a time that is known as it
/// begins: it becomes a flow of SimGrid, with what is left of it, when another one comes onto one
/// of its links.
class Flows {
 public:
  explicit Flows(Platform& platform);
  Flows(const Flows&) = delete;
  Flows& operator=(const Flows&) = delete;

  /// From now on, from one unit to another one to which links lead. There not before `soonest`.
  std::shared_ptr<Flow> start(std::size_t from, std::size_t to, double bytes, double latency_s,
                              double soonest);
  /// Whether something passes the link now.
  [[nodiscard]] bool is_used(std::size_t link) const { return links_[link].flows > 0; }

 private:
  struct Link {
    std::uint32_t flows = 0;
    Flow* alone = nullptr;  ///< the only one, if SimGrid does not know of it
  };

  void start_alone(Flow& flow, double bytes);
  void start_shared(Flow& flow, double bytes);
  void end(Flow& flow);

  Platform& platform_;
  std::vector<Link> links_;
  std::vector<simgrid::s4u::CommPtr> ended_;  ///< SimGrid still looks at them as it says so
};

}  // namespace forewarp::system
