// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/threads.h"

#include <algorithm>
#include <exception>
#include <future>
#include <mutex>
#include <pthread.h>
#include <sys/resource.h>

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

int with_usual_stack(const std::function<int()>& work) {
  constexpr std::size_t usual = std::size_t{8} << 20U;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= usual) return work();
  pthread_attr_t wider;
  if (::pthread_attr_init(&wider) != 0) return work();
  const bool taken =
      ::pthread_attr_setstacksize(&wider, usual) == 0 && ::pthread_setattr_default_np(&wider) == 0;
  ::pthread_attr_destroy(&wider);
  if (!taken) return work();
  const auto there = [&work] {
    use_large_pages();
    return work();
  };
  return std::async(std::launch::async, there).get();
}

void Threads::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace forewarp::base
