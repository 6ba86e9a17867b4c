// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/units/memory_unit.h"

#include <algorithm>

namespace forewarp::timing {

AccessTimes MemoryUnit::take(const TimedAccess& access, std::uint32_t scheduler, Ticks at,
                             std::uint64_t draw) {
  AccessTimes times;
  Ticks& collector = collectors_[scheduler];
  Ticks left = std::max(at + access.leave, collector + access.collect);
  if (!inside_.empty()) left = std::max(left, inside_[oldest_]);
  if (access.is_store) {
    const bool goes_on = access.memory > 0 || access.slice > 0;
    const Ticks posted = std::max({stores_.free, written_, goes_on ? served_ : 0});
    left = std::max(left, posted - machine_->store_backlog);
  }
  left = interface_.take(at, left, access.interface);
  collector = left;
  Queue& queue = queues_[scheduler];
  if (!queue.left.empty()) {
    queue.left[queue.next] = left;
    if (++queue.next == queue.left.size()) queue.next = 0;
  }
  const bool asks = draw >= access.none;
  const Ticks begin = asks ? data_.take(at, left, access.data) : left;
  if (!inside_.empty()) {
    inside_[oldest_] = begin + access.data;
    if (++oldest_ == inside_.size()) oldest_ = 0;
  }
  times.left = left;
  times.done = begin + access.after;
  times.level = access.is_memory ? Cause::l1 : Cause::shared;
  if (!asks) return times;
  times.done += access.more_passes;
  if (access.is_memory) go_beyond(access, draw, begin, times);
  return times;
}

Ticks MemoryUnit::copy(const TimedAccess& access, Ticks at, std::uint64_t draw) {
  const Ticks begin = engine_.take(at, access.engine);
  Server& way = access.is_store ? stores_ : l2_;
  const Ticks port = way.take(begin, access.l2_port);
  Ticks done = std::max(begin + access.engine, port + access.l2_port) + access.after;
  done += pass_l2(access, port);
  if (access.memory > 0) {
    done += device_->wait(port, access.memory);
    served_ = std::max(served_, device_->last());
  }
  done += draw < access.l2 ? access.extra_l2 : access.extra_memory;
  drained_ = std::max({drained_, way.free, done});
  // Shared memory is read while the bytes pass; what is written goes beside what is read.
  if (!access.is_store) return done;
  return data_.take(at, std::max(at, done - access.data), access.data) + access.data;
}

Ticks MemoryUnit::pass_l2(const TimedAccess& access, Ticks port) {
  Ticks waited = 0;
  const auto pass = [&](auto& server, Ticks time) {
    if (time <= 0) return Ticks{0};
    const Ticks turn = server.take(port, time);
    waited = std::max(waited, turn - port);
    drained_ = std::max(drained_, turn + time);
    return turn + time;
  };
  served_ = std::max(served_, pass(device_->slice, access.slice));
  written_ = std::max(written_, pass(device_->writes, access.written));
  return waited;
}

void MemoryUnit::go_beyond(const TimedAccess& access, std::uint64_t draw, Ticks begin,
                           AccessTimes& times) {
  if (draw < access.l1) return;
  Server& way = access.is_store ? stores_ : l2_;
  const Ticks port = way.take(begin, access.l2_port);
  times.done += port - begin;
  drained_ = std::max(drained_, way.free);
  times.done += pass_l2(access, port);
  if (draw < access.l2) {
    times.done += access.extra_l2;
    times.level = Cause::l2;
    return;
  }
  const Ticks waited = device_->wait(port, access.memory);
  served_ = std::max(served_, device_->last());
  times.done += waited + access.extra_memory;
  times.level = Cause::memory;
}

}  // namespace forewarp::timing
