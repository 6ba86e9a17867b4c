// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "timing/sm.h"

namespace forewarp::timing {

/// A new warp ended the gap: what those that were there wait for; idle where nobody was.
Cause Sm::wait_of_others(const SubCore& core) {
  for (std::uint64_t used = core.used; used != 0; used &= used - 1) {
    const Warp& warp = core.warps[static_cast<std::size_t>(std::countr_zero(used))];
    if (warp.at_barrier) return Cause::barrier;
    if (warp.wait != Cause::idle) return warp.wait;
  }
  return Cause::idle;
}

void Sm::record(SubCore& core, std::uint32_t scheduler, const Warp& warp, std::uint32_t index,
                Ticks now) {
  Recorder::Causes& stalls = recorder_->stalls[index];
  ++recorder_->issues[index];
  const auto at = [](Cause cause) { return static_cast<std::size_t>(cause); };
  // The second of a pair goes before its warp's last slot has ended: it waited for nothing.
  const Ticks begun = std::min(warp.issued, now);
  const Ticks own = std::clamp(warp.own_ready, begun, now);
  const Cause late = warp.unit == Cause::issue ? Cause::not_selected : warp.unit;
  stalls[at(warp.wait)] += own - begun;
  stalls[at(late)] += now - own;
  stalls[at(Cause::issue)] += machine_->issue_interval;
  // The scheduler's own time: what the warp that ended the gap had waited for. What its own
  // waiting does not explain is the unit's.
  const Ticks since = core.recorded;
  const Cause own_wait = warp.wait == Cause::idle ? wait_of_others(core) : warp.wait;
  const Cause rest = late == Cause::not_selected ? own_wait : late;
  Cause waited = Cause::issue;
  if (now > since) {
    const Ticks from = std::clamp(own, since, now);
    recorder_->schedulers[at(own_wait)] += from - since;
    recorder_->schedulers[at(rest)] += now - from;
    waited = from - since >= now - from ? own_wait : rest;
  }
  if (now >= since) {
    recorder_->schedulers[at(Cause::issue)] += machine_->issue_interval;
    core.recorded = now + machine_->issue_interval;
  }
  if (recorder_->events.size() < recorder_->most_events) {
    const auto block = static_cast<std::uint32_t>(blocks_[warp.block].number);
    recorder_->events.push_back({now, scheduler, block, warp.number, index, waited});
  }
}

}  // namespace forewarp::timing
