// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/stages/issue.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "timing/stages/admit.h"
#include "timing/stages/asynchronous.h"
#include "timing/stages/barrier.h"
#include "timing/stages/complete.h"
#include "timing/stages/dispatch.h"
#include "timing/stages/fetch.h"
#include "timing/stages/ready.h"

namespace forewarp::timing {
namespace {

/// Where a newly started warp issues: what warps that were there before wait for; idle if none was.
Cause wait_of_others(const SubCore& core) {
  for (std::uint64_t used = core.used; used != 0; used &= used - 1) {
    const Warp& warp = core.warps[static_cast<std::size_t>(std::countr_zero(used))];
    if (warp.at_barrier) return Cause::barrier;
    if (warp.wait != Cause::idle) return warp.wait;
  }
  return Cause::idle;
}

void record(SmState& sm, std::uint32_t scheduler, const Warp& warp, std::uint32_t index,
            Ticks now) {
  IssueHappened issue;
  issue.at = now;
  issue.scheduler = scheduler;
  issue.block = static_cast<std::uint32_t>(sm.blocks[warp.block].number);
  issue.warp = warp.number;
  issue.instruction = index;
  issue.before = warp.issued;
  issue.own_ready = warp.own_ready;
  issue.wait = warp.wait;
  issue.unit = warp.unit;
  if (warp.wait == Cause::idle) issue.others = wait_of_others(sm.cores[scheduler]);
  sm.recorder->add(issue, sm.machine->issue_interval);
}

/// After an issue: when the warp may go on, or its end.
void go_on(SmState& sm, SubCore& core, std::uint32_t place, const TimedInstruction& instruction,
           bool jumps, bool sleeps, Ticks now) {
  Warp& warp = core.warps[place];
  const auto held = warp.state.next;  // by a phase that is known to end later
  follow_on(warp.state, instruction, jumps, {now, jumps ? Cause::fetch : Cause::dependence},
            sm.rules);
  let_go(warp.state, held);
  warp.unit = Cause::issue;
  warp.issued = now + sm.machine->issue_interval;
  if (instruction.groups_left >= 0) wait_for_products(core, place, instruction);
  if (warp.cursor.at_end()) {
    leave(sm, core, place, now + sm.machine->issue_interval);
  } else if (sleeps) {
    core.ready.set(place, never);
  } else if (instruction.is_barrier && !(instruction.has_events && warp.events != nullptr)) {
    arrive(sm, core, place, now + instruction.latency);
  } else {
    core.ready.set(place, warp.own_ready = own_ready(sm, warp));
  }
}

void issue(SmState& sm, std::uint32_t scheduler, std::uint32_t place, Ticks now) {
  SubCore& core = sm.cores[scheduler];
  Warp& warp = core.warps[place];
  const std::uint32_t index = warp.cursor.instruction();
  const TimedInstruction& instruction = sm.kernel->instructions[index];
  const Ticks slot_ends = now + sm.machine->issue_interval;
  ++sm.issued;
  sm.end = std::max(sm.end, slot_ends);
  core.port = std::max(core.port, slot_ends + instruction.port);
  if (sm.recorder != nullptr) record(sm, scheduler, warp, index, now);
  bool sleeps = false;
  if (instruction.is_product) {
    start_product(sm, core, place, instruction, now);
    complete_at(sm, warp, instruction, now, now + instruction.spacing);
  } else if (instruction.has_events && warp.events != nullptr) {
    complete_at(sm, warp, instruction, now, now + instruction.latency);
    sleeps = follow_events(sm, core, place, instruction, now);
  } else {
    take_units(sm, core, instruction, now);
    complete(sm, scheduler, place, instruction, now);
  }
  const bool jumps = instruction.is_branch && warp.cursor.jumps();
  fetch(*sm.machine, core, now, jumps);
  warp.cursor.advance();
  go_on(sm, core, place, instruction, jumps, sleeps, now);
}

/// Issues the warp's next instruction if it is admitted; else puts the warp off.
bool try_issue(SmState& sm, std::uint32_t scheduler, std::uint32_t place, Ticks now,
               bool second = false) {
  const Admission admission = admit(sm, scheduler, place, now, second);
  if (admission.at <= now) {
    issue(sm, scheduler, place, now);
    return true;
  }
  SubCore& core = sm.cores[scheduler];
  core.warps[place].unit = admission.cause;
  core.ready.set(place, admission.at);
  return false;
}

}  // namespace

bool issue_slot(SmState& sm, std::uint32_t scheduler, Ticks now) {
  SubCore& core = sm.cores[scheduler];
  if (held_by_fetch(*sm.machine, core, now)) return false;
  const bool by_slots = sm.machine->policy.policy == Policy::variable_rate;
  const auto slot = static_cast<std::uint64_t>(by_slots ? now / sm.machine->issue_interval : 0);
  for (std::uint64_t ready = core.ready.at(now); ready != 0;) {
    const std::uint32_t place = core.policy.pick(ready, slot, core.age.data());
    if (place >= SubCore::most_warps) return false;
    ready &= ~(std::uint64_t{1} << place);
    if (core.warps[place].state.fresh != 0 && sees_fresh(sm, core, place, now)) continue;
    if (try_issue(sm, scheduler, place, now)) {
      core.policy.issued(place);
      // Ready at once means that the compiler paired the next instruction with the one just issued.
      const bool pair = core.ready[place] <= now && (core.used >> place & 1U) != 0;
      if (pair) try_issue(sm, scheduler, place, now, true);
      core.more_ready = ready != 0;
      return true;
    }
    if (core.port > now) return false;
  }
  return false;
}

}  // namespace forewarp::timing
