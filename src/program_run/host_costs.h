// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "hardware/host.h"
#include "program_run/device_memory.h"
#include "program_run/virtual_clock.h"

namespace forewarp::program_run {

/// What the program's calls take on the host, by the numbers of a host (`calls.*`), and what the
/// driver keeps that decides it: blocks of the device's memory, the pool of streams, code that is
/// loaded. One caller at a time.
class HostCosts {
 public:
  explicit HostCosts(const hardware::Host& host = {});

  /// In us. `nodes`: of a graph.
  [[nodiscard]] double us(hardware::HostCall call, double bytes = 0, double nodes = 0) const;

  /// Of the call under way.
  void charge(hardware::HostCall call, double bytes = 0, double nodes = 0);
  void charge_fill(double bytes);
  /// Of a call that makes the context without a cost of its own: cudaFree(0).
  void need_context() { needs_context_ = true; }
  /// Memory of these kinds was allocated or freed.
  void allocated(MemoryKind kind, std::uint64_t bytes);
  void freed(MemoryKind kind, std::uint64_t bytes);
  /// The same in a stream.
  void allocated_in_stream(std::uint64_t bytes);
  void freed_in_stream(std::uint64_t bytes);
  /// The program waited for a stream or more: the pool gives back what is free.
  void trim_pool() { pool_kept_ = pool_used_; }

  /// What the first launch of a kernel takes before it starts, in us; later ones take nothing.
  [[nodiscard]] double loading_us(const void* module, const void* kernel);
  /// What the first call takes that needs a context, in us; 0: there is one, or none is needed.
  [[nodiscard]] double context_us();

  /// What was charged since the last time; a call that charged nothing only asks.
  [[nodiscard]] Nanoseconds take();

 private:
  hardware::Host host_;
  double charged_us_ = 0;
  bool charged_ = false, needs_context_ = false, has_context_ = false, has_pool_ = false;
  std::uint64_t small_used_ = 0, small_kept_ = 0;  ///< bytes within blocks of the driver
  std::uint64_t pool_used_ = 0, pool_kept_ = 0;
  std::set<const void*> loaded_;  ///< modules and kernels
};

}  // namespace forewarp::program_run
