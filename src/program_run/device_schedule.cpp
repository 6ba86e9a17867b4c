// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/device_schedule.h"

#include <algorithm>

namespace forewarp::program_run {
namespace {

constexpr std::size_t most_running = 128;  // kernels that are kept to be run beside
constexpr double rounding = 1e-9;          // of sums of shares

}  // namespace

/// The earliest moment from which on the shares of all kernels running beside it leave it room.
Nanoseconds DeviceSchedule::place_kernel(Nanoseconds earliest, const Work& work) {
  std::vector<Nanoseconds> moments{earliest};
  for (const Running& other : running_) {
    if (other.when.end > earliest) moments.push_back(other.when.end);
  }
  std::sort(moments.begin(), moments.end());
  for (const Nanoseconds begin : moments) {
    const Nanoseconds end = begin + work.duration;
    double most = 0;
    for (const Running& first : running_) {
      // Usage only grows where a kernel begins: it suffices to look there, and at `begin`.
      const Nanoseconds at = std::max(first.when.begin, begin);
      if (first.when.end <= begin || at >= end) continue;
      double used = 0;
      for (const Running& other : running_) {
        if (other.when.begin <= at && other.when.end > at) used += other.share;
      }
      most = std::max(most, used);
    }
    if (most + work.share <= 1 + rounding) return begin;
  }
  return moments.back();
}

Nanoseconds DeviceSchedule::ready(StreamId stream) {
  const Stream& own = streams_[stream];
  if (stream == legacy_stream) return std::max(own.end, blocking_end_);
  return own.blocking ? std::max(own.end, legacy_end_) : own.end;
}

void DeviceSchedule::advance(StreamId stream, Nanoseconds end) {
  Stream& own = streams_[stream];
  own.end = std::max(own.end, end);
  if (stream == legacy_stream) {
    legacy_end_ = std::max(legacy_end_, end);
  } else if (own.blocking) {
    blocking_end_ = std::max(blocking_end_, end);
  }
  end_ = std::max(end_, end);
}

Interval DeviceSchedule::occupy(const Work& work, Nanoseconds earliest) {
  Nanoseconds begin = earliest;
  if (work.engine == Engine::compute) {
    begin = place_kernel(begin, work);
  } else if (work.engine != Engine::none) {
    begin = std::max(begin, copy_end_[work.engine == Engine::copy_in ? 0 : 1]);
  }
  const Interval when{begin, begin + work.duration};
  if (work.engine == Engine::compute) {
    // Work comes in the host's order, so what ended before this was issued is past.
    std::erase_if(running_, [&](const Running& other) { return other.when.end <= work.issued; });
    if (running_.size() >= most_running) running_.erase(running_.begin());
    running_.push_back({when, work.share});
  } else if (work.engine != Engine::none) {
    copy_end_[work.engine == Engine::copy_in ? 0 : 1] = when.end;
  }
  end_ = std::max(end_, when.end);
  return when;
}

Interval DeviceSchedule::place(const Work& work) {
  const Interval when = occupy(work, std::max(work.issued, ready(work.stream) + work.gap));
  advance(work.stream, when.end);
  return when;
}

void DeviceSchedule::add_stream(StreamId stream, bool blocking) {
  streams_[stream] = {blocking, 0};
}

void DeviceSchedule::remove_stream(StreamId stream) {
  if (stream != legacy_stream) streams_.erase(stream);
}

bool DeviceSchedule::has_stream(StreamId stream) const {
  return streams_.contains(stream);
}

bool DeviceSchedule::is_blocking(StreamId stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() || found->second.blocking;
}

Nanoseconds DeviceSchedule::end_of(StreamId stream) const {
  const auto found = streams_.find(stream);
  if (stream == legacy_stream) return std::max({legacy_end_, blocking_end_, found->second.end});
  return found == streams_.end() ? 0 : found->second.end;
}

void DeviceSchedule::wait(StreamId stream, Nanoseconds moment) {
  Stream& waiting = streams_[stream];
  waiting.end = std::max(waiting.end, moment);
}

}  // namespace forewarp::program_run
