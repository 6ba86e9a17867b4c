// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "sweep/points/point_runner.h"

namespace forewarp::sweep {

/// How many points a worker asks for at once: few where a point takes long, so that all workers
/// end together and little is lost with one; many where asking costs more than computing.
class ChunkSize {
 public:
  [[nodiscard]] std::size_t points() const { return points_; }
  /// What the last chunk took.
  void took(double seconds);

 private:
  std::size_t points_ = 1;
};

/// The numbers of a job, handed out in chunks to whoever asks, and its points, taken one at a time.
class ChunkQueue {
 public:
  explicit ChunkQueue(const PointJob& job) : job_(job) {}

  /// Up to `most` numbers to compute, those of known points passed over; none: there are no more,
  /// or the run was ended.
  std::vector<std::uint64_t> claim(std::size_t most);

  /// The bytes of claimed numbers. False: the run was ended.
  bool give(const std::vector<std::uint64_t>& numbers, const std::vector<std::string>& bytes);

  /// No more is handed out or taken.
  void end();

  /// Claimed points that were not given back.
  [[nodiscard]] std::uint64_t out() const;

 private:
  bool ended() const { return ended_ || (job_.stop && job_.stop()); }

  const PointJob& job_;
  mutable std::mutex mutex_;
  std::uint64_t next_ = 0, out_ = 0;
  bool ended_ = false;
};

/// Computes chunk after chunk in this thread until the book has no more.
void work_off(ChunkQueue& book, const PointJob& job, unsigned worker);

/// The bytes of every number, in their order.
[[nodiscard]] std::vector<std::string> computed(const PointJob& job,
                                                const std::vector<std::uint64_t>& numbers,
                                                unsigned worker, ChunkSize& size);

}  // namespace forewarp::sweep
