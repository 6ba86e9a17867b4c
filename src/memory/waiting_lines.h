// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "memory/ramp_cache.h"

namespace forewarp::memory {

/// Lines of a cache that wait to be written to device memory, in the order in which they began. A
/// cache holds so many at most, whatever its size: past that the one that waits longest is written.
class WaitingLines {
 public:
  using Stamp = std::uint32_t RampCache::Line::*;

  /// `most`: lines; 0: no limit, and nothing is kept here. `stamp`: of a line, 0 unless it waits.
  WaitingLines(double most, Stamp stamp) : most_(most), stamp_(stamp) {}

  void enter(RampCache::Line& line) {
    if (most_ <= 0 || line.*stamp_ != 0) return;
    line.*stamp_ = ++last_;
    order_.push_back({line.number, last_});
    ++count_;
  }
  void leave(RampCache::Line& line) {
    if (line.*stamp_ == 0) return;
    line.*stamp_ = 0;
    --count_;
  }
  /// A line that waited left the cache.
  void left() { --count_; }

  /// The line that is to be written now, taken out; null: there is room.
  [[nodiscard]] RampCache::Line* next(RampCache& cache) {
    if (static_cast<double>(count_) <= most_) {
      constexpr std::size_t slack = 1024;
      const auto gone = [&](const Entry& entry) { return waiting(cache, entry) == nullptr; };
      if (order_.size() > 2 * count_ + slack) std::erase_if(order_, gone);
      return nullptr;
    }
    while (!order_.empty()) {
      RampCache::Line* const line = waiting(cache, order_.front());
      order_.pop_front();
      if (line == nullptr) continue;
      leave(*line);
      return line;
    }
    return nullptr;
  }

 private:
  struct Entry {
    std::uint64_t number = 0;
    std::uint32_t stamp = 0;
  };
  [[nodiscard]] RampCache::Line* waiting(RampCache& cache, const Entry& entry) const {
    RampCache::Line* const line = cache.peek(entry.number);
    return line != nullptr && line->*stamp_ == entry.stamp ? line : nullptr;
  }

  double most_;
  Stamp stamp_;
  std::uint32_t last_ = 0;
  std::uint64_t count_ = 0;
  std::deque<Entry> order_;
};

}  // namespace forewarp::memory
