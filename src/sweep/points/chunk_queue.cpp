// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/points/chunk_queue.h"

#include <algorithm>
#include <chrono>

namespace forewarp::sweep {

void ChunkSize::took(double seconds) {
  constexpr double too_short = 0.02, too_long = 0.1;  // seconds
  constexpr std::size_t most = 1024;
  if (seconds < too_short) points_ = std::min(2 * points_, most);
  if (seconds > too_long) points_ = std::max<std::size_t>(points_ / 2, 1);
}

std::vector<std::uint64_t> ChunkQueue::claim(std::size_t most) {
  std::vector<std::uint64_t> numbers;
  const std::lock_guard lock(mutex_);
  while (numbers.size() < most && next_ < job_.count && !ended()) {
    const std::uint64_t number = next_++;
    const auto known = job_.known ? job_.known(number) : std::nullopt;
    if (!known) {
      numbers.push_back(number);
    } else if (!job_.take(number, *known, false)) {
      ended_ = true;
    }
  }
  out_ += numbers.size();
  return numbers;
}

bool ChunkQueue::give(const std::vector<std::uint64_t>& numbers,
                      const std::vector<std::string>& bytes) {
  const std::lock_guard lock(mutex_);
  out_ -= numbers.size();
  for (std::size_t i = 0; i < numbers.size() && !ended_; ++i) {
    if (!bytes[i].empty() && !job_.take(numbers[i], bytes[i], true)) ended_ = true;
  }
  return !ended_;
}

void ChunkQueue::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
}

std::uint64_t ChunkQueue::out() const {
  const std::lock_guard lock(mutex_);
  return out_;
}

std::vector<std::string> computed(const PointJob& job, const std::vector<std::uint64_t>& numbers,
                                  unsigned worker, ChunkSize& size) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  std::vector<std::string> bytes;
  bytes.reserve(numbers.size());
  for (const std::uint64_t number : numbers) bytes.push_back(job.compute(number, worker));
  size.took(std::chrono::duration<double>(Clock::now() - begun).count());
  return bytes;
}

void work_off(ChunkQueue& book, const PointJob& job, unsigned worker) {
  ChunkSize size;
  for (auto numbers = book.claim(size.points()); !numbers.empty();
       numbers = book.claim(size.points())) {
    if (!book.give(numbers, computed(job, numbers, worker, size))) return;
  }
}

}  // namespace forewarp::sweep
