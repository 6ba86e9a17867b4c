// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace forewarp::program_run {

/// Nanoseconds since the program's start, as it would count them on the board.
using Nanoseconds = std::int64_t;

/// What the program's own clocks add to the machine's, where the library of them is preloaded. Both
/// may be null.
struct ProgramClocks {
  std::atomic<std::int64_t>* offset = nullptr;  ///< in nanoseconds
  /// Processor time of the process: the monotonic clock, moved by `offset` and by this. 0: it is
  /// the machine's.
  std::atomic<std::int64_t>* processor = nullptr;
};

/// The host's clock as the program sees it: the machine's, without the time that answering calls
/// took here, plus the time that it would have waited for the device. Host time between calls may
/// be scaled. Processor time passes as the host's clock does: a host that waits for a device polls
/// it. Not thread-safe: one caller at a time, but the program's clocks may be read at any time.
class VirtualClock {
 public:
  /// In a forked child the program's clocks go on from where they are.
  VirtualClock(ProgramClocks clocks, double host_factor);

  /// By the machine's clock, whatever the program's own ones say.
  static std::int64_t machine();
  /// The machine that the program sees was made since `begin`: no time of the program's.
  void start(std::int64_t begin);

  /// The process is a forked child that forgets this clock: its processor time is its own.
  void forget_processor_time();

  /// A call of the program begins: the clock stands still until leave().
  void enter();
  /// The call ends, having taken `cost` of the host's time.
  void leave(Nanoseconds cost);
  /// During a call: the host takes so long before it goes on.
  void spend(Nanoseconds cost);
  /// What the program's own clocks see pass that belongs to no work: starting the driver.
  void start_later(Nanoseconds cost) { ahead_ += cost; }
  /// The host waits for a moment; nothing if that is over.
  void wait_until(Nanoseconds moment);

  /// During a call.
  [[nodiscard]] Nanoseconds now() const { return now_; }
  /// Time that the host itself used, and that it waited for devices.
  [[nodiscard]] Nanoseconds host() const { return host_; }
  [[nodiscard]] Nanoseconds waited() const { return waited_; }

 private:
  static std::int64_t reading();

  ProgramClocks clocks_;
  double factor_;
  std::int64_t inherited_;  ///< of the program's clocks, from the parent of a forked child
  std::int64_t processor_;  ///< time that the process had used at the start
  std::int64_t start_;      ///< of the program, by the machine's clock
  std::int64_t left_;       ///< when the last call ended, by the machine's clock
  std::int64_t reading_;    ///< that reading the machine's clock takes, which is not the program's
  Nanoseconds now_ = 0, host_ = 0, waited_ = 0, ahead_ = 0;
};

}  // namespace forewarp::program_run
