// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace forewarp::cli {

/// A progress line, on a terminal only: how many are done, how fast, how long the rest will take.
class Progress {
 public:
  explicit Progress(bool quiet);
  /// Shows `done` of `all` for this name; another name or another `all` starts again.
  void operator()(const std::string& name, std::size_t done, std::size_t all);

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  std::string name_;
  std::size_t all_ = 0;
  Clock::time_point begun_, drawn_;
};

/// "3.4/s, 1:52 left"; empty as long as no pace is known.
[[nodiscard]] std::string pace_text(std::size_t done, std::size_t all, double seconds);

}  // namespace forewarp::cli
