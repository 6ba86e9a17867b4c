// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program_run/settings.h"

namespace forewarp::program_run {

/// What a program's launches have cost so far, and what they may still cost. The budget of
/// `--execute auto` is counted work, so that no clock decides what is executed; where the program
/// is to end by itself within `--limit`, the clock ends execution too: it leaves half of the limit
/// to the program, and an eighth to predictions of what is not executed.
class OwnWork {
 public:
  explicit OwnWork(const Settings& settings) : settings_(&settings) {}

  void executed(std::uint64_t instructions, double seconds) {
    instructions_ += instructions;
    execution_s_ += seconds;
  }
  /// By a library of the host: multiply-adds, or elements moved.
  void computed(double operations, double seconds) {
    operations_ += operations;
    execution_s_ += seconds;
  }
  void predicted(double seconds) { prediction_s_ += seconds; }

  /// Whether a launch may be executed that has taken `seconds` until now.
  [[nodiscard]] bool may_execute(double seconds = 0) const;
  /// Whether a launch may be predicted whose like was not, and that takes `seconds`.
  [[nodiscard]] bool may_predict(double seconds = 0) const;
  /// Warp instructions that the next launch may take.
  [[nodiscard]] std::uint64_t instructions_left() const;

  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  [[nodiscard]] double execution_s() const { return execution_s_; }
  [[nodiscard]] double prediction_s() const { return prediction_s_; }

 private:
  [[nodiscard]] bool below(double share, double seconds) const;

  const Settings* settings_;
  std::uint64_t instructions_ = 0;
  double operations_ = 0;
  double execution_s_ = 0, prediction_s_ = 0;
};

}  // namespace forewarp::program_run
