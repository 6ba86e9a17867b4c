// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/recorders/recorder.h"

#include <algorithm>
#include <cstddef>

namespace forewarp::timing {

void Recorder::add(const IssueHappened& issue, Ticks interval) {
  Causes& stalled = stalls[issue.instruction];
  ++issues[issue.instruction];
  const auto at = [](Cause cause) { return static_cast<std::size_t>(cause); };
  const Ticks now = issue.at;
  // The second of a pair issues before its warp's last slot has ended: it waited for nothing.
  const Ticks begun = std::min(issue.before, now);
  const Ticks own = std::clamp(issue.own_ready, begun, now);
  const Cause late = issue.unit == Cause::issue ? Cause::not_selected : issue.unit;
  stalled[at(issue.wait)] += own - begun;
  stalled[at(late)] += now - own;
  stalled[at(Cause::issue)] += interval;
  // The scheduler's gap is charged to what the warp that ended it had waited for: first its own
  // cause, the rest to the unit that kept it.
  if (known_.size() <= issue.scheduler) known_.resize(issue.scheduler + 1, 0);
  const Ticks since = known_[issue.scheduler];
  const Cause own_wait = issue.wait == Cause::idle ? issue.others : issue.wait;
  const Cause rest = late == Cause::not_selected ? own_wait : late;
  Cause waited = Cause::issue;
  if (now > since) {
    const Ticks from = std::clamp(own, since, now);
    schedulers[at(own_wait)] += from - since;
    schedulers[at(rest)] += now - from;
    waited = from - since >= now - from ? own_wait : rest;
  }
  if (now >= since) {
    schedulers[at(Cause::issue)] += interval;
    known_[issue.scheduler] = now + interval;
  }
  clocks.add(now, issue.block, issue.warp, issue.instruction);
  if (events.size() >= most_events) return;
  events.push_back({now, issue.scheduler, issue.block, issue.warp, issue.instruction, waited});
}

}  // namespace forewarp::timing
