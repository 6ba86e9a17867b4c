// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace forewarp::serve {

/// Threads that are made when work comes and none is free, up to a limit; then work waits.
class ThreadPool {
 public:
  explicit ThreadPool(std::size_t most) : most_(most) {}
  ~ThreadPool() { stop(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void add(std::function<void()> work);
  /// Comes back when what was begun is done; what waits is dropped.
  void stop();
  [[nodiscard]] std::size_t threads() const;

 private:
  void serve();

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t free_ = 0;
  bool ended_ = false;
};

}  // namespace forewarp::serve
