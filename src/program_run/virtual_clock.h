// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace forewarp::program_run {

/// Nanoseconds since the program's start, as it would count them on the board.
using Nanoseconds = std::int64_t;

/// The host's clock as the program sees it: the machine's, without the time that answering calls
/// took here, plus the time that it would have waited for the device. Host time between calls may
/// be scaled. Not thread-safe: one caller at a time, but offset() may be read at any time.
class VirtualClock {
 public:
  /// `offset`: added by the program's own clocks to the machine's; may be null.
  VirtualClock(std::atomic<std::int64_t>* offset, double host_factor);

  /// A call of the program begins: the clock stands still until leave().
  void enter();
  /// The call ends, having taken `cost` of the host's time.
  void leave(Nanoseconds cost);
  /// During a call: the host takes so long before it goes on.
  void spend(Nanoseconds cost);
  /// What the program's own clocks see pass that belongs to no work: starting the driver.
  void start_later(Nanoseconds cost) { ahead_ += cost; }
  /// Forgets the host's time so far: the machine was made meanwhile.
  void restart();
  /// The host waits for a moment; nothing if that is over.
  void wait_until(Nanoseconds moment);

  /// During a call.
  [[nodiscard]] Nanoseconds now() const { return now_; }
  /// Time that the host itself used, and that it waited for devices.
  [[nodiscard]] Nanoseconds host() const { return host_; }
  [[nodiscard]] Nanoseconds waited() const { return waited_; }

 private:
  static std::int64_t machine();
  static std::int64_t reading();

  std::atomic<std::int64_t>* offset_;
  double factor_;
  std::int64_t start_;    ///< of the program, by the machine's clock
  std::int64_t left_;     ///< when the last call ended, by the machine's clock
  std::int64_t reading_;  ///< that reading the machine's clock takes, which is not the program's
  Nanoseconds now_ = 0, host_ = 0, waited_ = 0, ahead_ = 0;
};

}  // namespace forewarp::program_run
