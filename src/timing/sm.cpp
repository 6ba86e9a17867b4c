// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/sm.h"

#include <algorithm>
#include <bit>

namespace forewarp::timing {
namespace {

constexpr std::uint32_t golden = 0x9e3779b9;  // steps by it spread evenly over 2^32
constexpr std::uint32_t silver = 0x6a09e667;  // and so do these, otherwise

/// The next time at which a scheduler may issue.
Ticks slot_from(Ticks at, Ticks interval) {
  if (interval == cycle) return (at + cycle - 1) / cycle * cycle;  // no division
  const Ticks past = at % interval;
  return past == 0 ? at : at + interval - past;
}

}  // namespace

Sm::Sm(const SmMachine& machine, const TimedKernel& kernel, BlockSupply& supply, DevicePath* device,
       std::uint32_t resident, std::uint32_t seed, Recorder* recorder)
    : machine_(&machine),
      kernel_(&kernel),
      rules_{cycle, machine.store_gap, machine.load_gaps, machine.barrier_seen,
             kernel.ordered_barriers},
      supply_(&supply),
      recorder_(recorder),
      memory_(machine, device),
      code_(kernel.code_lines, machine.code_cache_lines, machine.code_line_time),
      cores_(machine.schedulers, SubCore(machine)),
      common_units_(machine.pipes.size(), 0),
      blocks_(resident),
      seed_(seed),
      last_core_(machine.schedulers - 1) {}

Ticks Sm::drained() const {
  return std::max(end_, memory_.drained());
}

/// Blocks begin where fewest warps are; among equals in turn.
std::uint32_t Sm::emptiest() {
  std::uint32_t best = turn_ % machine_->schedulers;
  for (std::uint32_t s = 0; s < machine_->schedulers; ++s) {
    const std::uint32_t at = (turn_ + s) % machine_->schedulers;
    if (cores_[at].resident < cores_[best].resident) best = at;
  }
  turn_ = best + 1;
  return best;
}

bool Sm::start_block(Ticks at) {
  if (supply_->empty()) return false;
  const auto place =
      std::find_if(blocks_.begin(), blocks_.end(), [](const Block& b) { return !b.used; });
  if (place == blocks_.end()) return false;
  const auto [number, plan, start] = supply_->take(at);
  const auto warps = static_cast<std::uint32_t>(plan->size());
  *place = Block{number, {warps, 0, 0}, true};
  const auto index = static_cast<std::uint32_t>(place - blocks_.begin());
  last_start_ = at;
  issued_at_last_start_ = issued_;
  for (std::uint32_t w = 0; w < plan->size(); ++w) {
    place_warp(*(*plan)[w], index, w, start + w * machine_->warp_start);
  }
  find_next();
  return true;
}

void Sm::place_warp(const Stream& stream, std::uint32_t block, std::uint32_t number, Ticks at) {
  SubCore& core = cores_[emptiest()];
  const auto place = static_cast<std::uint32_t>(std::countr_one(core.used));
  if (recorder_ != nullptr) recorder_->residency.change(at, 1);
  core.used |= std::uint64_t{1} << place;
  core.places = std::max(core.places, place + 1);
  ++core.resident;
  core.age[place] = serial_;
  Warp& warp = core.warps[place];
  warp = Warp{};
  warp.cursor = Cursor(stream);
  warp.block = block;
  warp.number = number;
  warp.draw = 0x80000000U + seed_ * silver + golden * serial_++;
  warp.state.next = {at, Cause::idle};
  warp.issued = at;
  if (kernel_->slot_count > 0) {
    warp.state.ready.resize(kernel_->slot_count, {0, Cause::dependence});
  }
  if (warp.cursor.at_end()) {
    leave(core, place, at);
    return;
  }
  core.ready[place] = warp.own_ready = at;
  core.next = std::min(core.next, std::max(core.port, slot_from(at, machine_->issue_interval)));
}

void Sm::step() {
  const std::uint32_t scheduler = next_core_;
  SubCore& core = cores_[scheduler];
  const Ticks now = core.next;
  last_core_ = scheduler;
  const bool issued = issue_from(core, scheduler, now);
  if (issued && core.more_ready) {
    core.next = slot_from(core.port, machine_->issue_interval);
  } else {
    find_next(core, issued ? core.port : now + machine_->issue_interval);
  }
  find_next();
}

void Sm::find_next(SubCore& core, Ticks not_before) {
  Ticks first = never;
  for (std::uint32_t p = 0; p < core.places; ++p) first = std::min(first, core.ready[p]);
  core.next = first == never
                  ? never
                  : slot_from(std::max({first, not_before, core.port}), machine_->issue_interval);
}

void Sm::find_next() {
  next_ = never;
  // In turn, so that none is always first at what they share.
  const auto count = static_cast<std::uint32_t>(cores_.size());
  std::uint32_t s = last_core_;
  for (std::uint32_t k = 0; k < count; ++k) {
    if (++s >= count) s = 0;
    if (cores_[s].next < next_) {
      next_ = cores_[s].next;
      next_core_ = s;
    }
  }
  if (next_ != never) return;
  // Whoever is left waits at a barrier that the others of its block went past by another way.
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].used && blocks_[b].barrier.arrived > 0) {
      blocks_[b].barrier.last = std::max(blocks_[b].barrier.last, end_);
      release_barrier(b);
      find_next();
      return;
    }
  }
}

bool Sm::issue_from(SubCore& core, std::uint32_t scheduler, Ticks now) {
  if (core.fetched >= now + machine_->issue_interval) {
    hold_for_fetch(core, now);
    return false;
  }
  std::uint64_t ready = 0;
  for (std::uint32_t p = 0; p < core.places; ++p) {
    ready |= static_cast<std::uint64_t>(core.ready[p] <= now) << p;
  }
  const bool by_slots = machine_->policy.policy == Policy::variable_rate;
  const auto slot = static_cast<std::uint64_t>(by_slots ? now / machine_->issue_interval : 0);
  while (ready != 0) {
    const std::uint32_t place = core.policy.pick(ready, slot, core.age.data());
    if (place >= most_warps) return false;
    if (core.warps[place].state.fresh != 0 && sees_fresh(core, place, now)) {
      ready &= ~(std::uint64_t{1} << place);
      continue;
    }
    Cause cause = Cause::issue;
    const Ticks at = admitted(core, scheduler, place, now, cause);
    if (at <= now) {
      issue(core, scheduler, place, now);
      core.policy.issued(place);
      issue_second(core, scheduler, place, now);
      core.more_ready = (ready & ~(std::uint64_t{1} << place)) != 0;
      return true;
    }
    core.warps[place].unit = cause;
    core.ready[place] = at;
    if (core.port > now) return false;
    ready &= ~(std::uint64_t{1} << place);
  }
  return false;
}

/// A warp that did not issue in the first cycle after it set a barrier sees it: whether it waits.
bool Sm::sees_fresh(SubCore& core, std::uint32_t place, Ticks now) {
  Warp& warp = core.warps[place];
  if (now < warp.issued - machine_->issue_interval + machine_->barrier_seen) return false;
  warp.state.fresh = warp.state.unseen = 0;
  const Ticks at = earliest(warp);
  if (at <= now) return false;
  core.ready[place] = warp.own_ready = at;
  return true;
}

/// Nothing is there to issue before the fetches in vain are over.
void Sm::hold_for_fetch(SubCore& core, Ticks now) {
  core.port =
      std::max(core.port, core.fetched / machine_->issue_interval * machine_->issue_interval);
  for (std::uint32_t p = 0; p < core.places; ++p) {
    if (core.ready[p] <= now) core.warps[p].unit = Cause::fetch;
  }
}

/// The compiler said that the next instruction of this warp goes with the one just issued.
void Sm::issue_second(SubCore& core, std::uint32_t scheduler, std::uint32_t place, Ticks now) {
  if (core.ready[place] > now || (core.used >> place & 1U) == 0) return;
  Cause cause = Cause::issue;
  const Ticks at = admitted(core, scheduler, place, now, cause, true);
  if (at <= now) {
    issue(core, scheduler, place, now);
    return;
  }
  core.warps[place].unit = cause;
  core.ready[place] = at;
}

/// When units, queues and caches take the warp's next instruction; what is in the way, if later.
Ticks Sm::admitted(SubCore& core, std::uint32_t scheduler, std::uint32_t place, Ticks now,
                   Cause& cause, bool second) {
  Warp& warp = core.warps[place];
  const TimedInstruction& instruction = kernel_->instructions[warp.cursor.instruction()];
  if (core.ports.limit() && core.ports.room() > now) {
    cause = Cause::registers;
    return core.ports.room();
  }
  // Of a pair the compiler knows that the units are two, even where the table has them as one.
  for (std::size_t u = 0;
       !second && u < instruction.units.size() && instruction.units[u] != no_unit; ++u) {
    const Pipe& pipe = machine_->pipes[instruction.units[u]];
    const Ticks free =
        pipe.common ? common_units_[instruction.units[u]] : core.units[instruction.units[u]];
    // A unit that is free before the cycle ends takes it in this cycle.
    const Ticks begin =
        instruction.variable ? unit_admits(free, instruction.taken[u], Ticks{pipe.queued}) : free;
    if (begin >= now + cycle) {
      cause = Cause::pipe;
      return begin / cycle * cycle;
    }
  }
  if (instruction.access != no_access && memory_.room(scheduler) > now) {
    cause = Cause::queue;
    return memory_.room(scheduler);
  }
  if (code_.limits() && instruction.code_line != warp.code_line) {
    const Ticks there = code_.at(instruction.code_line, now);
    warp.code_line = instruction.code_line;
    if (there > now) {
      cause = Cause::fetch;
      return there;
    }
  }
  if (instruction.constant_line != no_access && core.constants.limits()) {
    const Ticks there = core.constants.at(instruction.constant_line, now, machine_->constant_miss);
    if (there > now) {
      cause = Cause::constant;
      // The warp that was to go on holds the scheduler for a while.
      if (core.policy.goes_on_with(place)) {
        core.port = std::min(there, now + machine_->constant_hold);
      }
      return there;
    }
  }
  return now;
}

void Sm::issue(SubCore& core, std::uint32_t scheduler, std::uint32_t place, Ticks now) {
  Warp& warp = core.warps[place];
  const std::uint32_t index = warp.cursor.instruction();
  const TimedInstruction& instruction = kernel_->instructions[index];
  ++issued_;
  end_ = std::max(end_, now + machine_->issue_interval);
  core.port = std::max(core.port, now + machine_->issue_interval + instruction.port);
  if (recorder_ != nullptr) record(core, scheduler, warp, index, now);
  take_units(core, instruction, now);
  complete(core, scheduler, warp, place, instruction, now);
  const bool jumps = instruction.is_branch && warp.cursor.jumps();
  fetch(core, now, jumps);
  warp.cursor.advance();
  go_on(core, place, instruction, jumps, now);
}

/// Every instruction is fetched once; those behind a taken branch were fetched in vain. The buffers
/// of a scheduler's warps are taken as one: whose instructions are there already is not followed.
void Sm::fetch(SubCore& core, Ticks now, bool jumps) const {
  if (machine_->jump_fetches == 0) return;
  const Ticks ahead = machine_->fetched_ahead * core.resident;
  core.fetched = std::max(core.fetched, now - ahead) + machine_->issue_interval +
                 (jumps ? machine_->jump_fetches : 0);
}

void Sm::take_units(SubCore& core, const TimedInstruction& instruction, Ticks now) {
  for (std::size_t u = 0; u < instruction.units.size() && instruction.units[u] != no_unit; ++u) {
    const std::uint8_t unit = instruction.units[u];
    Ticks& free = machine_->pipes[unit].common ? common_units_[unit] : core.units[unit];
    free = std::max(free, now) + instruction.taken[u];
  }
}

void Sm::complete(SubCore& core, std::uint32_t scheduler, Warp& warp, std::uint32_t place,
                  const TimedInstruction& instruction, Ticks now) {
  const auto results = [&](Ticks done, Ticks read, Cause cause) {
    const std::uint16_t* slots = kernel_->slots.data();
    const IssueSlots written{{}, {slots + instruction.writes, instruction.write_count}, {}};
    set_results(warp.state, instruction, written, {now, Cause::queue}, {done, cause}, {read, cause},
                rules_);
  };
  if (instruction.access != no_access) {
    const TimedAccess& access = kernel_->accesses[instruction.access];
    const AccessTimes times = memory_.take(access, scheduler, now, warp.draw);
    if (access.is_memory && !access.is_store) warp.state.drawn = true;
    results(times.done, times.left, times.level);
    return;
  }
  if (!instruction.variable) {
    if (core.ports.limit()) core.ports.take(instruction, place, now);
    results(now + instruction.latency, now + instruction.read_release, Cause::dependence);
    return;
  }
  // What waits in front of its unit is late by that.
  Ticks begin = now;
  for (std::size_t u = 0; u < instruction.units.size() && instruction.units[u] != no_unit; ++u) {
    const std::uint8_t unit = instruction.units[u];
    const Ticks free = machine_->pipes[unit].common ? common_units_[unit] : core.units[unit];
    begin = std::max(begin, free - instruction.taken[u]);
  }
  results(begin + instruction.latency, begin + instruction.read_release, Cause::math);
}

/// After an issue: when the warp may go on, or that it is through.
void Sm::go_on(SubCore& core, std::uint32_t place, const TimedInstruction& instruction, bool jumps,
               Ticks now) {
  Warp& warp = core.warps[place];
  follow_on(warp.state, instruction, jumps, {now, jumps ? Cause::fetch : Cause::dependence},
            rules_);
  warp.unit = Cause::issue;
  warp.issued = now + machine_->issue_interval;
  if (warp.cursor.at_end()) {
    leave(core, place, now + machine_->issue_interval);
    return;
  }
  if (instruction.is_barrier) {
    arrive(core, place, now + instruction.latency);
    return;
  }
  core.ready[place] = warp.own_ready = earliest(warp);
}

IssueSlots Sm::slots_of(std::uint32_t index) const {
  const TimedInstruction& instruction = kernel_->instructions[index];
  const std::uint16_t* slots = kernel_->slots.data();
  IssueSlots all{{slots + instruction.reads, instruction.read_count}, {}, {}};
  if (instruction.with_next && index + 1 < kernel_->instructions.size()) {
    const TimedInstruction& next = kernel_->instructions[index + 1];
    all.second = {slots + next.reads, next.read_count};
  }
  return all;
}

/// When the warp itself is ready for its next instruction, and what it waits for till then.
Ticks Sm::earliest(Warp& warp) {
  const std::uint32_t index = warp.cursor.instruction();
  const auto [at, cause] =
      earliest_issue(warp.state, kernel_->instructions[index], slots_of(index), rules_);
  warp.wait = cause;
  if (takes_new_draw(warp.state, at)) warp.draw += golden;
  return at;
}

void Sm::arrive(SubCore& core, std::uint32_t place, Ticks at) {
  Warp& warp = core.warps[place];
  BlockBarrier<Ticks>& barrier = blocks_[warp.block].barrier;
  warp.at_barrier = true;
  core.ready[place] = never;
  barrier.arrive(at);
  if (barrier.complete()) release_barrier(warp.block);
}

void Sm::release_barrier(std::uint32_t index) {
  const Ticks released = blocks_[index].barrier.release();
  for (SubCore& core : cores_) {
    bool any = false;
    for (std::uint32_t p = 0; p < core.places; ++p) {
      Warp& warp = core.warps[p];
      if ((core.used >> p & 1U) == 0 || warp.block != index || !warp.at_barrier) continue;
      warp.at_barrier = false;
      let_go(warp.state, {released, Cause::barrier});
      core.ready[p] = warp.own_ready = earliest(warp);
      any = true;
    }
    if (any) find_next(core, core.port);
  }
}

void Sm::leave(SubCore& core, std::uint32_t place, Ticks now) {
  const std::uint32_t index = core.warps[place].block;
  Block& block = blocks_[index];
  core.ready[place] = never;
  core.used &= ~(std::uint64_t{1} << place);
  --core.resident;
  if (recorder_ != nullptr) recorder_->residency.change(now, -1);
  block.barrier.leave(now);
  if (block.barrier.alive > 0) {
    if (block.barrier.complete()) release_barrier(index);
    return;
  }
  block.used = false;
  ++finished_;
  if (marks_.size() < 2 * blocks_.size()) marks_.push_back({now, issued_});
  if (recorder_ != nullptr) recorder_->block_ends.add(now);
  start_block(now + machine_->refill + machine_->start);
}

}  // namespace forewarp::timing
