// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::serve {

enum class JobState : std::uint8_t { queued, running, done, failed, cancelled };
[[nodiscard]] std::string_view state_name(JobState state);

/// Long work: points that are answered one after the other, each with a record that is kept.
struct JobPlan {
  std::string kind;   ///< predict, simulate
  std::string title;  ///< for the history
  std::size_t points = 0;
  /// The record of one point as JSON; `stop` becomes true when it is cancelled.
  std::function<Expected<std::string>(std::size_t point,
                                      const std::shared_ptr<const std::atomic<bool>>& stop)>
      answer;
};

/// A job as others see it.
struct JobView {
  std::string id, kind, title, error;
  JobState state = JobState::queued;
  std::size_t done = 0, points = 0;
  std::int64_t run = 0;       ///< of the store
  std::uint64_t version = 0;  ///< grows with every change
  [[nodiscard]] bool ended() const {
    return state != JobState::queued && state != JobState::running;
  }
};

}  // namespace forewarp::serve
