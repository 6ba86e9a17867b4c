// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/device_schedule.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace forewarp::program_run {
namespace {

constexpr std::size_t most_running = 128;  // pieces of an engine's queue
constexpr double rounding = 1e-9;          // of sums of shares

}  // namespace

/// The earliest moment from which on the shares of all that runs beside it leave it room.
Nanoseconds DeviceSchedule::place_in(const Queue& queue, Nanoseconds earliest, const Work& work) {
  std::vector<Nanoseconds> moments{earliest};
  for (const Running& other : queue) {
    if (other.when.end > earliest) moments.push_back(other.when.end);
  }
  std::sort(moments.begin(), moments.end());
  for (const Nanoseconds begin : moments) {
    const Nanoseconds end = begin + work.duration;
    double most = 0;
    for (const Running& first : queue) {
      // Usage only grows where something begins: it suffices to look there, and at `begin`.
      const Nanoseconds at = std::max(first.when.begin, begin);
      if (first.when.end <= begin || at >= end) continue;
      double used = 0;
      for (const Running& other : queue) {
        if (other.when.begin <= at && other.when.end > at) used += other.share;
      }
      most = std::max(most, used);
    }
    if (most + work.share <= 1 + rounding) return begin;
  }
  return moments.back();
}

/// Makes one of two pieces that follow each other: of those that leave least room unused then.
void DeviceSchedule::join_closest(Queue& queue) {
  std::sort(queue.begin(), queue.end(),
            [](const Running& a, const Running& b) { return a.when.begin < b.when.begin; });
  const auto joined = [](const Running& a, const Running& b) {
    const bool together = b.when.begin < a.when.end;
    return Running{{a.when.begin, std::max(a.when.end, b.when.end)},
                   together ? a.share + b.share : std::max(a.share, b.share)};
  };
  const auto taken = [](const Running& piece) {
    return piece.share * static_cast<double>(piece.when.end - piece.when.begin);
  };
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < queue.size(); ++i) {
    const double unused =
        taken(joined(queue[i], queue[i + 1])) - taken(queue[i]) - taken(queue[i + 1]);
    if (unused >= least) continue;
    least = unused;
    best = i;
  }
  queue[best] = joined(queue[best], queue[best + 1]);
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(best) + 1);
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
  if (work.engine != Engine::none) {
    Queue& queue = queues_[static_cast<std::size_t>(work.engine)];
    // A thread's work comes in its order: what ended before any is issued is past.
    const Nanoseconds past = std::min(work.past, work.issued);
    std::erase_if(queue, [&](const Running& other) { return other.when.end <= past; });
    begin = place_in(queue, earliest, work);
    if (queue.size() >= most_running) join_closest(queue);
    queue.push_back({{begin, begin + work.duration}, work.share});
  }
  const Interval when{begin, begin + work.duration};
  end_ = std::max(end_, when.end);
  return when;
}

Interval DeviceSchedule::place(const Work& work) {
  const bool close = work.early && streams_[work.stream].lets_next_begin;
  const Nanoseconds before = ready(work.stream) + (close ? 0 : work.gap);
  const Interval when = occupy(work, std::max(work.issued, before));
  advance(work.stream, when.end);
  streams_[work.stream].lets_next_begin = work.lets_next_begin;
  return when;
}

void DeviceSchedule::add_stream(StreamId stream, bool blocking) {
  streams_[stream] = {blocking, 0, false};
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

}  // namespace forewarp::program_run
