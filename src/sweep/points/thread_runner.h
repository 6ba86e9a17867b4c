// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sweep/points/point_runner.h"

namespace forewarp::sweep {

/// Threads of this process.
class ThreadRunner : public PointRunner {
 public:
  /// 0: as many as the machine runs at once.
  explicit ThreadRunner(unsigned jobs);

  [[nodiscard]] unsigned workers() const override { return workers_; }
  [[nodiscard]] bool keeps() const override { return true; }
  Expected<void> run(const PointJob& job) override;

 private:
  unsigned workers_;
};

}  // namespace forewarp::sweep
