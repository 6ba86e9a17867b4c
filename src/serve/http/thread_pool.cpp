// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/http/thread_pool.h"

#include <utility>

namespace forewarp::serve {

void ThreadPool::add(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  waiting_.push_back(std::move(work));
  if (free_ < waiting_.size() && threads_.size() < most_) {
    threads_.emplace_back([this] { serve(); });
  }
  came_.notify_one();
}

void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++free_;
    came_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    --free_;
    if (ended_) return;
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}

void ThreadPool::stop() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    waiting_.clear();
    threads.swap(threads_);
  }
  came_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

std::size_t ThreadPool::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

}  // namespace forewarp::serve
