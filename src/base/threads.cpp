// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/threads.h"

#include <algorithm>
#include <exception>
#include <mutex>

#include "base/heap.h"

namespace forewarp::base {

unsigned thread_count(unsigned jobs) {
  constexpr unsigned most = 256;
  return jobs != 0 ? std::min(jobs, most) : std::max(1U, std::thread::hardware_concurrency());
}

void in_threads(unsigned count, const std::function<void(unsigned)>& work) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto guarded = [&](unsigned worker) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    Threads others;
    for (unsigned worker = 1; worker < count; ++worker) {
      others.start([&guarded, worker] {
        use_large_pages();
        guarded(worker);
      });
    }
    guarded(0);
  }
  if (first) std::rethrow_exception(first);
}

void Threads::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace forewarp::base
