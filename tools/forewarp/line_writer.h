// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/expected.h"

namespace forewarp::cli {

/// Lines that go out whole, to the file of -o or to standard output, as soon as one comes
/// `patience` after the last that went: without patience each is there when the process is ended.
class LineWriter {
 public:
  using Clock = std::chrono::steady_clock;

  LineWriter(std::string output, Clock::duration patience);
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;
  ~LineWriter();

  /// False: nothing more can be written.
  bool add(std::string_view line);
  Expected<void> finish();

 private:
  bool flush();

  std::string output_, text_;
  Clock::duration patience_;
  Clock::time_point flushed_;
  int file_ = -1;
  int error_ = 0;
};

}  // namespace forewarp::cli
