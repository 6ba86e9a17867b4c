// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace forewarp::program_run {

/// Nanoseconds since the program's start, as it would count them on the board.
using Nanoseconds = std::int64_t;

/// What the program's own clocks add to the machine's, where the library of them is preloaded. All
/// may be null.
struct ProgramClocks {
  std::atomic<std::int64_t>* offset = nullptr;  ///< in nanoseconds, without a thread's lead
  /// Processor time of the process: the monotonic clock, moved by `offset` and by this. 0: it is
  /// the machine's.
  std::atomic<std::int64_t>* processor = nullptr;
  std::atomic<std::int64_t>* most = nullptr;  ///< the lead of the thread that is furthest
};

/// A thread of the program. Threads wait for devices at the same time: a wait brings only its own
/// thread ahead of the time that the host uses itself. A thread that waited for another one, by a
/// lock, a barrier or a join, has at least that one's time from then on. Which one it waited for is
/// not seen: it follows the thread that is furthest.
class HostThread {
 public:
  /// The thread begins where its creator is.
  void begin(Nanoseconds lead);
  /// From here on it is looked for waits, as from the end of a call.
  void mark() { left_ = now(); }
  /// The thread is about to call: what it waits for then, as other threads call, is no host time.
  void arrive();
  /// The same, and whether it waited before; or it reads its clocks.
  void look();
  /// .. so long after its last call, having given up its core so often since.
  void look_after(std::int64_t passed, std::int64_t waits);
  /// It waited for something between its last call and the last look.
  [[nodiscard]] bool was_blocked() const;
  /// It goes on from `lead` if it is behind.
  void follow(Nanoseconds lead);
  [[nodiscard]] Nanoseconds lead() const { return lead_.load(std::memory_order_relaxed); }

 private:
  friend class VirtualClock;
  struct Look {
    std::int64_t at = 0;     ///< by the machine's clock
    std::int64_t waits = 0;  ///< times that it gave up its core; not those that it lost it
  };
  static Look now();

  std::atomic<Nanoseconds> lead_{0};
  bool begun_ = false;
  Look left_;                 ///< at the end of its last call; 0: there was none
  Look since_;                ///< then, until the last look
  std::int64_t arrived_ = 0;  ///< before the call that it is in, or is about to make; 0: not told
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

  /// The process is a forked child that forgets this clock, and has only this thread: its clocks
  /// go on from there, its processor time is its own.
  void forget(HostThread& thread);

  /// A call of the program begins: the clock stands still until leave(). A thread of which it is
  /// not known where it began does so where the furthest one is.
  void enter(const std::shared_ptr<HostThread>& thread);
  /// The call ends, having taken `cost` of the host's time.
  void leave(Nanoseconds cost);
  /// During a call: the host takes so long before it goes on.
  void spend(Nanoseconds cost);
  /// What the program's own clocks see pass that belongs to no work: starting the driver.
  void start_later(Nanoseconds cost) { ahead_ += cost; }
  /// The host waits for a moment; nothing if that is over.
  void wait_until(Nanoseconds moment);

  /// During a call, for its thread.
  [[nodiscard]] Nanoseconds now() const { return base_ + current_->lead(); }
  /// For the threads that are furthest, and least far.
  [[nodiscard]] Nanoseconds latest() const { return base_ + most(); }
  [[nodiscard]] Nanoseconds earliest();
  /// Time that the host itself used, and that all of its threads waited for devices.
  [[nodiscard]] Nanoseconds host() const { return host_; }
  [[nodiscard]] Nanoseconds waited() const { return waited_; }

 private:
  static std::int64_t reading();
  [[nodiscard]] Nanoseconds most() const { return most_->load(std::memory_order_relaxed); }

  ProgramClocks clocks_;
  double factor_;
  std::int64_t inherited_;  ///< of the program's clocks, from the parent of a forked child
  std::int64_t processor_;  ///< time that the process had used at the start
  std::int64_t start_;      ///< of the program, by the machine's clock
  std::int64_t left_;       ///< when the last call ended, by the machine's clock
  std::int64_t reading_;    ///< that reading the machine's clock takes, which is not the program's
  /// `base_` is without what threads waited for devices.
  Nanoseconds base_ = 0, host_ = 0, waited_ = 0, ahead_ = 0;
  std::atomic<Nanoseconds> own_most_{0};
  std::atomic<Nanoseconds>* most_;                    ///< the largest lead
  std::vector<std::shared_ptr<HostThread>> threads_;  ///< that have called; some may have ended
  std::shared_ptr<HostThread> current_ = std::make_shared<HostThread>();
};

}  // namespace forewarp::program_run
