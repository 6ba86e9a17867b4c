// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "execution/order/poll.h"
#include "execution/order/shared_words.h"

namespace forewarp::execution {

/// A warp as far as it polls.
struct Poller {
  Warp* warp = nullptr;
  std::uint64_t block = 0;
  double next = 0;  ///< when it goes on, while queued, asleep or at a barrier
  bool asleep = false;
  std::uint64_t sleep = 0;    ///< number of its last wait without being executed, over all warps
  std::uint64_t polling = 0;  ///< the word that it polled last; 0: none
  PollDetector poll;
};

/// How often a warp polls a word: as often as its instructions allow, or as its turn comes among
/// all that poll the word, whose polls its slice serves one after the other.
struct PollPace {
  double period = 0;
  double behind = 0;  ///< what an access to the word waits for polls before it
};

/// Warps that poll and are not executed until a word that they wait for changes. A Poller must stay
/// where it is in memory.
class SleepingPolls {
 public:
  /// poll_time: what its slice needs for one poll of a word.
  SleepingPolls(const Program& program, SharedWords& words, double poll_time)
      : program_(program), words_(words), poll_time_(poll_time) {}

  /// False: a word has changed since the warp read it, so that it must look again.
  bool fall_asleep(Poller& poller, double at);
  void stop_polling(Poller& poller) { polls_from_now(poller, 0); }

  /// Calls wake(poller) for each that an access at `written` ends the wait of.
  template <class F>
  void wake_by(const MemoryAccess& access, double written, F wake) {
    if (watched_.empty()) return;
    SharedWords::for_each_of(access, [&](std::uint64_t word) {
      for (Poller* poller : seeing(word, written)) wake(*poller);
    });
  }
  [[nodiscard]] PollPace pace_of(const Poller& poller) const;
  /// When the first poll after `written` begins.
  [[nodiscard]] double wake_time(const Poller& poller, double written) const;

  /// How many waits were looked at because their word changed.
  [[nodiscard]] std::uint64_t looked_at() const { return looked_at_; }
  /// The most warps that polled one word at the same time ..
  [[nodiscard]] std::uint64_t most() const { return most_; }
  /// .. and how long after each other one of them does so by itself.
  [[nodiscard]] double most_period() const { return most_period_; }

 private:
  /// One sleep; it is over when that warp sleeps no more, or again.
  struct Watch {
    Poller* poller = nullptr;
    std::uint32_t seen = 0;
    std::uint64_t sleep = 0;
  };
  static bool is_over(const Watch& watch) {
    return !watch.poller->asleep || watch.poller->sleep != watch.sleep;
  }
  /// `word`: 0: none.
  void polls_from_now(Poller& poller, std::uint64_t word);
  /// Those for whom what the word now holds ends the wait.
  [[nodiscard]] std::vector<Poller*> seeing(std::uint64_t word, double written);

  const Program& program_;
  SharedWords& words_;
  double poll_time_ = 0;
  std::unordered_map<std::uint64_t, std::vector<Watch>> watched_;
  std::unordered_map<std::uint64_t, std::uint64_t> pollers_;  ///< of each word
  std::uint64_t sleeps_ = 0, most_ = 0, looked_at_ = 0;
  double most_period_ = 0;
};

}  // namespace forewarp::execution
