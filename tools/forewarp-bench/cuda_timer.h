// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>

#include "bench_test.h"
#include "configuration.h"
#include "cuda_driver.h"

namespace forewarp::cli {

/// Microseconds since then.
[[nodiscard]] double microseconds_since(std::chrono::steady_clock::time_point begun);

/// A launch as the driver takes it.
struct CudaLaunch {
  void* kernel = nullptr;
  const Configuration* shape = nullptr;
  void** places = nullptr;  ///< of the arguments
};

/// Times launches by the driver's events and by the host's clock.
class CudaTimer {
 public:
  explicit CudaTimer(const OpenedLibrary& driver) : driver_(driver) {}
  Expected<void> start();
  /// Called after a launch was given to the GPU and before it is waited for.
  std::function<void()> meanwhile;

  /// Microseconds of one launch: between two events, per launch of many in a stream or a graph, or
  /// until the host knows that it has ended. `device` cannot be told by a driver: refused.
  Expected<double> launch(Timing timing, const CudaLaunch& launch) const;
  /// Waits until nothing runs.
  Expected<void> settle() const;

 private:
  Expected<void> give(const CudaLaunch& launch) const;
  Expected<void> give_with_attributes(const CudaLaunch& launch) const;
  Expected<double> between_events(const std::function<Expected<void>()>& work) const;
  Expected<double> in_graph(const CudaLaunch& launch) const;
  Expected<double> by_host(const CudaLaunch& launch) const;

  const OpenedLibrary& driver_;
  void *begin_ = nullptr, *end_ = nullptr;  ///< events
  void* stream_ = nullptr;                  ///< a stream that may be captured
};

}  // namespace forewarp::cli
