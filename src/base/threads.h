// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace forewarp::base {

/// Threads for a wish of `jobs`; 0: as many as the machine runs at once. Beyond a limit nothing
/// gets faster on any machine, and what comes out is the same.
[[nodiscard]] unsigned thread_count(unsigned jobs);

/// Calls work(0) here and work(1) to work(count - 1) in threads of their own; comes back after the
/// last. An exception in one of them comes out of here, after all.
void in_threads(unsigned count, const std::function<void(unsigned worker)>& work);

/// Calls `work` with the stack that a program usually has: where the process may have less (`ulimit
/// -s`), in a thread of its own, and threads that start later have as much.
int with_usual_stack(const std::function<int()>& work);

/// Threads that stay until this object goes. Whoever owns them tells their work to end before.
class Threads {
 public:
  Threads() = default;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { join(); }

  void start(std::function<void()> work) { threads_.emplace_back(std::move(work)); }
  /// Waits for all of them.
  void join();
  [[nodiscard]] std::size_t size() const { return threads_.size(); }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace forewarp::base
