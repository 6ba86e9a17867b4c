// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "base/mixed.h"
#include "execution/order/event_sink.h"
#include "execution/order/nominal_clock.h"
#include "execution/order/order_limits.h"
#include "execution/order/order_points.h"
#include "execution/order/order_record.h"
#include "execution/order/shared_words.h"
#include "execution/order/sleeping_polls.h"
#include "execution/state/operands.h"
#include "execution/warp/block_runner.h"
#include "execution/warp/fault_text.h"

namespace forewarp::execution {

/// Runs blocks in simulated time: whichever warp is first accesses what blocks share, so time
/// decides who takes a ticket, a lock or an item, and what a poll sees. Warps that poll are not
/// executed until the word that they wait for changes. A warp that ends frees its block's place for
/// the next block.
///
/// Clock: what things cost, see NominalClock.
template <class Clock>
class OrderedBlocks {
 public:
  OrderedBlocks(Environment& environment, EventSink& sink, Clock& clock, const OrderLimits& limits)
      : environment_(environment),
        sink_(sink),
        clock_(clock),
        limits_(limits),
        points_(order_points(*environment.program)),
        words_(*environment.memory),
        sleeping_(*environment.program, words_, clock.poll_time()) {}
  OrderedBlocks(const OrderedBlocks&) = delete;
  OrderedBlocks& operator=(const OrderedBlocks&) = delete;

  /// Runs all of them; false: a block faulted, waits for ever, or the limit was reached.
  bool run(std::span<const std::uint64_t> blocks) {
    blocks_ = blocks;
    record_.of_blocks = blocks.size();
    fill(0, WaitChain{});
    while (!failed_) {
      if (queue_.empty()) {
        if (wake_for_others()) continue;
        if (residents_ == 0 && next_ == blocks_.size()) break;
        if (next_ < blocks_.size() && (!limits_.strict || residents_ == 0)) {
          start_next(latest_, WaitChain{});
          continue;
        }
        note_deadlock();
        break;
      }
      Agent& agent = *queue_.top().agent;
      queue_.pop();
      advance(agent);
    }
    record_.end = std::max(record_.end, latest_);
    record_.pollers = sleeping_.most();
    record_.poll_period = sleeping_.most_period();
    return !failed_;
  }

  // What OrderedBlocks is as a sink of run_warp().
  bool holds(const Warp&, std::uint32_t instruction) {
    if (std::exchange(free_, false) || instruction >= points_.size()) return false;
    const OrderPoint point = points_[instruction];
    return point == OrderPoint::access || (point == OrderPoint::store && agent_->fenced);
  }
  void executed(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask lanes) {
    Agent& agent = *agent_;
    settle(agent, i);
    agent.now = clock_.next(agent.time, i);
    clock_.issue(agent.time, i, agent.now);
    agent.last = i;
    agent.poll.executed(i);
    if (points_[i] == OrderPoint::fence) agent.fenced = true;
    if (points_[i] == OrderPoint::clock) {
      warp.block->cycles = clock_.cycles(agent.now);
      warp.block->nanoseconds = clock_.nanoseconds(agent.now);
    }
    const MicroOp& op = environment_.program->ops[i];
    if (op.has(flag::gives_way) && op.operation == Operation::none && lanes != 0) {
      clock_.sleep(agent.time, sleep_of(warp, op, lanes) * varied(agent));
    }
    sink_.executed(warp, i, active, lanes);
  }
  void branched(const Warp& warp, std::uint32_t i, LaneMask active, LaneMask taken) {
    sink_.branched(warp, i, active, taken);
  }
  void accessed(const Warp& warp, const MemoryAccess& access) {
    sink_.accessed(warp, access);
    if (access.space != MemorySpace::global) return;
    Agent& agent = *agent_;
    const bool shared_word = points_[access.instruction] == OrderPoint::access;
    double queued = 0;
    if (access.kind == AccessKind::atomic || access.kind == AccessKind::reduction) {
      queued = words_.queue_up(access, agent.now, clock_.word_time(access));
    }
    clock_.accessed(agent.time, access, {warp.block->linear, agent.resident->place}, shared_word,
                    queued);
    agent.chain.queued += queued;
    if (shared_word) follow_writer(agent, access);
    if (access.kind == AccessKind::load) {
      if (shared_word) see(agent, access);
      return;
    }
    if (words_.changed_by(warp, environment_.program->ops[access.instruction], access)) {
      agent.poll.wrote();
      if (shared_word || agent.fenced) words_.wrote(access, {agent.now, agent.block, agent.chain});
    } else {
      see(agent, access);
    }
    sleeping_.wake_by(access, agent.now,
                      [&](Poller& poller) { wake(static_cast<Agent&>(poller), agent.now); });
  }

  /// After run().
  [[nodiscard]] const OrderRecord& record() const { return record_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  [[nodiscard]] bool cut() const { return cut_; }
  /// Why it failed; of a cut, where a block stood.
  [[nodiscard]] const std::optional<Diagnostic>& failure() const { return failure_; }
  [[nodiscard]] bool stopped() const { return stopped_; }
  /// Of a part of the grid: it was cut because blocks wait, maybe for some of the others.
  [[nodiscard]] bool waits() const { return waits_; }
  /// The blocks that have not ended, for a sink that wants to be told.
  template <class F>
  void for_each_running(F f) {
    for (auto& resident : places_) {
      if (resident) f(resident->block);
    }
  }

 private:
  struct Resident;
  struct Agent : Poller {
    Resident* resident = nullptr;
    typename Clock::WarpTime time;
    std::uint32_t last = OrderRecord::nowhere;  ///< executed, not yet settled
    double now = 0;                             ///< issue of the last instruction
    bool fenced = false;
    std::uint32_t naps = 0;                          ///< how often the kernel put it to sleep
    std::uint32_t polled_by = OrderRecord::nowhere;  ///< its last access to words that blocks share
    double polled_at = 0;                            ///< and when
    WaitChain chain;
  };
  struct Meeting {  ///< at one of a block's barriers
    double at = 0;
    WaitChain chain;
  };
  struct Resident {
    Block block;
    std::vector<Agent> agents;
    std::array<Meeting, Block::barrier_count> meetings{};
    double start = 0, end = 0;
    WaitChain chain;
    std::size_t place = 0, running = 0;
  };
  struct Turn {
    double at = 0;
    std::uint64_t block = 0;
    std::uint32_t warp = 0;
    Agent* agent = nullptr;
    bool operator<(const Turn& other) const {  // the first in time on top of the queue
      if (at != other.at) return at > other.at;
      return block != other.block ? block > other.block : warp > other.warp;
    }
  };
  static constexpr std::uint64_t long_run = 1 << 15;
  /// Waking a warp and putting it to sleep again takes as long as executing so many instructions.
  static constexpr std::uint64_t wake_work = 16;
  /// So many scattered lines and words of atomics take as long as executing an instruction, and so
  /// many waits that are looked at.
  static constexpr std::uint64_t places_of_instruction = 2, waits_of_instruction = 16;

  [[nodiscard]] std::uint64_t spent() const {
    const std::uint64_t places = clock_.lines() + words_.queued();
    const std::uint64_t beside = wake_work * wakes_ + places / places_of_instruction +
                                 sleeping_.looked_at() / waits_of_instruction;
    return std::min(instructions_ + beside, limits_.most_instructions);
  }

  void fill(double at, const WaitChain& chain) {
    while (next_ < blocks_.size() && residents_ < limits_.resident) start_next(at, chain);
  }

  void start_next(double at, const WaitChain& chain) {
    launched_ = std::max(at, launched_ + clock_.launch_interval());
    std::size_t place = places_.size();
    if (free_places_.empty()) {
      places_.emplace_back();
    } else {
      place = free_places_.back();
      free_places_.pop_back();
    }
    auto& resident = places_[place];
    if (!resident) resident = spare_.empty() ? std::make_unique<Resident>() : take_spare();
    resident->block.start(environment_, blocks_[next_++]);
    sink_.block_started(resident->block);
    resident->place = place;
    resident->start = resident->end = launched_ + clock_.turnaround();
    resident->chain = chain;
    resident->meetings = {};
    // What sleeps is referred to: all blocks have as many warps, and a resident is used again,
    // never freed, so that each stays where it is.
    resident->agents.assign(resident->block.warps.size(), Agent{});
    resident->running = resident->agents.size();
    ++residents_;
    record_.most_resident = std::max(record_.most_resident, std::uint64_t{residents_});
    for (std::size_t i = 0; i < resident->agents.size(); ++i) {
      Agent& agent = resident->agents[i];
      agent.warp = &resident->block.warps[i];
      agent.block = resident->block.linear;
      agent.resident = resident.get();
      agent.chain = chain;
      clock_.begin(agent.time, resident->start);
      queue(agent, resident->start);
    }
  }

  std::unique_ptr<Resident> take_spare() {
    auto taken = std::move(spare_.back());
    spare_.pop_back();
    return taken;
  }

  void queue(Agent& agent, double at) {
    agent.next = at;
    queue_.push({at, agent.block, agent.warp->number, &agent});
  }

  /// A warp that waits for a phase asks again after whoever is next; nobody else moves: a deadlock.
  void wait_for_phase(Agent& agent) {
    constexpr std::uint32_t most_waits = 1 << 20;
    if (vain_waits_ > most_waits || queue_.empty())
      return fail(agent.resident->block, deadlock_of(agent.resident->block));
    ++vain_waits_;
    queue(agent, std::max(agent.next, queue_.top().at) + 1);
  }

  void settle(Agent& agent, std::uint32_t next) {
    if (agent.last == OrderRecord::nowhere) return;
    clock_.settle(agent.time, agent.last, next != agent.last + 1);
    agent.last = OrderRecord::nowhere;
  }

  /// Runs a warp until another one is before it, or it waits.
  void advance(Agent& agent) {
    agent_ = &agent;
    sleeping_.stop_polling(agent);  // until it sleeps again
    Block& block = agent.resident->block;
    free_ = true;
    for (;;) {
      std::uint64_t budget = std::min(long_run, limits_.most_instructions - spent());
      const std::uint64_t turn = budget;
      const WarpState state = run_turn(*agent.warp, *this, budget);
      if (budget != turn) vain_waits_ = 0;
      block.executed += turn - budget;
      instructions_ += turn - budget;
      latest_ = std::max(latest_, agent.now);
      switch (state) {
        case WarpState::faulted:
          return fail(block, {agent.warp->fault, agent.warp->number});
        case WarpState::ended:
          return end_warp(agent);
        case WarpState::at_barrier:
          return meet(agent);
        case WarpState::at_phase:
          if (budget == turn) return wait_for_phase(agent);
          break;
        case WarpState::gives_way:
        case WarpState::runs:
          break;
      }
      if (spent() >= limits_.most_instructions) {
        note_cut(block);
        return;
      }
      settle(agent, agent.warp->pc);
      if (at_point(agent)) lane_groups::rotate(*agent.warp);  // lanes that poll let the others run
      const double at = clock_.next(agent.time, agent.warp->pc);
      if (at_point(agent) &&
          agent.poll.arrives(*environment_.program, *agent.warp, agent.warp->pc, at) &&
          sleeping_.fall_asleep(agent, at)) {
        if (is_apart(agent)) asleep_apart_.emplace(place_of(agent), &agent);
        return;
      }
      if (!queue_.empty() && queue_.top().at < at) return queue(agent, at);
      free_ = true;
    }
  }

  [[nodiscard]] bool at_point(const Agent& agent) const {
    return agent.warp->pc < points_.size() && points_[agent.warp->pc] == OrderPoint::access;
  }

  void end_warp(Agent& agent) {
    settle(agent, agent.warp->pc);
    sleeping_.stop_polling(agent);
    Resident& resident = *agent.resident;
    sink_.warp_ended(*agent.warp);
    if (agent.now >= resident.end) {
      resident.end = agent.now;
      resident.chain = agent.chain;
    }
    const auto waiting = waiting_warps(resident);
    release_complete_barriers(resident.block);
    release(resident, waiting);
    if (--resident.running > 0) return;
    sink_.block_ended(resident.block);
    ++record_.blocks;
    record_.ends.push_back(resident.end);
    if (resident.end >= record_.end) {
      record_.end = resident.end;
      record_.chain = resident.chain.edges;
      record_.handed = resident.chain.handed;
      record_.queued = resident.chain.queued;
      record_.instruction = resident.chain.instruction;
    }
    const double end = resident.end;
    const WaitChain chain = resident.chain;
    --residents_;
    free_places_.push_back(resident.place);
    spare_.push_back(std::move(places_[resident.place]));
    if (next_ < blocks_.size() && residents_ < limits_.resident) start_next(end, chain);
  }

  [[nodiscard]] static std::uint64_t waiting_warps(const Resident& resident) {
    std::uint64_t waiting = 0;
    for (std::size_t i = 0; i < resident.agents.size(); ++i) {
      if (resident.agents[i].warp->waits_at_barrier) waiting |= std::uint64_t{1} << i;
    }
    return waiting;
  }

  void meet(Agent& agent) {
    Resident& resident = *agent.resident;
    settle(agent, agent.last + 1);
    agent.next = clock_.follows(agent.time);
    Meeting& meeting = resident.meetings[agent.warp->barrier];
    if (agent.next >= meeting.at) meeting = {agent.next, agent.chain};
    const auto waiting = waiting_warps(resident) | std::uint64_t{1} << agent.warp->number;
    arrive_at_barrier(resident.block, *agent.warp);
    release(resident, waiting);
  }

  /// Lets those warps go on that waited before and do not any more.
  void release(Resident& resident, std::uint64_t waited) {
    for (std::size_t i = 0; i < resident.agents.size(); ++i) {
      Agent& agent = resident.agents[i];
      if ((waited >> i & 1U) == 0 || agent.warp->waits_at_barrier) continue;
      const Meeting& meeting = resident.meetings[agent.warp->barrier];
      if (agent.next < meeting.at) agent.chain = meeting.chain;
      clock_.release(agent.time, meeting.at);
      queue(agent, clock_.next(agent.time, agent.warp->pc));
    }
  }

  void fail(const Block& block, const BlockFault& fault) {
    failed_ = true;
    failure_ = describe_fault(block, fault);
    stopped_ = fault.fault.final();
  }

  void note_cut(const Block& block) {
    failed_ = cut_ = true;
    BlockFault place;
    place.fault.kind = Fault::Kind::step_limit;
    place.fault.instruction = agent_->warp->pc;
    place.warp = agent_->warp->number;
    failure_ = describe_fault(block, place);
  }

  void note_deadlock() {
    failed_ = true;
    const std::uint64_t others = environment_.image->input().blocks() - blocks_.size();
    // Of a part of the grid nobody knows whether one of the others ends the wait.
    cut_ = waits_ = others > 0;
    stopped_ = !waits_;
    const std::uint64_t left = blocks_.size() - next_;
    std::string found = "its blocks wait for ever", expected, hint;
    if (const Agent* agent = first_asleep()) {
      found = "block " + std::to_string(agent->resident->block.linear) + " waits for ever at " +
              instruction_text(*environment_.program->kernel, agent->warp->pc);
    }
    if (others > 0) {
      found += ", unless one of the " + std::to_string(others) +
               " blocks that were not executed writes what it waits for";
      hint = "a larger --budget, or a smaller launch";
    } else if (left > 0) {
      found += ": " + std::to_string(residents_) + " blocks are resident and wait, " +
               std::to_string(left) + (left == 1 ? " other cannot start" : " others cannot start");
      expected =
          "a grid whose blocks are all resident, or waits only for blocks that started before";
      hint = "a smaller --grid";
    } else {
      found += ": no block writes what it waits for";
      expected = "a write that ends the wait";
      hint = "check the launch and its buffers";
    }
    failure_ = Diagnostic{environment_.program->kernel->name, found, expected, hint};
    if (others == 0) record_.deadlock = failure_;
  }

  [[nodiscard]] const Agent* first_asleep() const {
    for (const auto& resident : places_) {
      if (!resident) continue;
      for (const Agent& agent : resident->agents) {
        if (agent.asleep) return &agent;
      }
    }
    return nullptr;
  }

  /// A sleep lasts between nothing and twice its time (PTX: nanosleep). Drawn from the middle
  /// quarter of that, so that blocks that sleep equally long do not stay in step for ever.
  static double varied(Agent& agent) {
    const std::uint64_t drawn =
        mixed((agent.block << 32U) + (std::uint64_t{agent.warp->number} << 24U) + ++agent.naps);
    return 0.75 + static_cast<double>(drawn >> 11U) * 0x1p-54;
  }

  static double sleep_of(const Warp& warp, const MicroOp& op, LaneMask lanes) {
    const std::uint32_t* values = plain_source(warp, op.source[0]);
    std::uint32_t most = 0;
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(lanes, i)) most = std::max(most, values[i]);
    }
    return most;
  }

  void see(Agent& agent, const MemoryAccess& access) {
    SharedWords::for_each_of(
        access, [&](std::uint64_t word) { agent.poll.read(word, words_.value_at(word)); });
  }

  /// A word that is polled has been written since the last poll: what comes next follows from that.
  void follow_writer(Agent& agent, const MemoryAccess& access) {
    const bool again = std::exchange(agent.polled_by, access.instruction) == access.instruction;
    const double before = std::exchange(agent.polled_at, agent.now);
    if (!again) return;
    SharedWords::for_each_of(access, [&](std::uint64_t word) {
      const SharedWords::Writer* writer = words_.writer_of(word);
      if (writer == nullptr || writer->block == agent.block) return;
      if (!agent.poll.read_before(word) || writer->at <= before) return;
      ++record_.edges;
      if (writer->chain.edges + 1 <= agent.chain.edges) return;
      agent.chain = writer->chain;
      ++agent.chain.edges;
      agent.chain.handed += agent.now - writer->at;
      agent.chain.instruction = access.instruction;
    });
  }

  /// The write waits behind the polls before it, and the poll that sees it behind it: as if it
  /// began later by that.
  void wake(Agent& agent, double written) {
    if (!agent.asleep) return;  // it read the word twice
    const PollPace pace = sleeping_.pace_of(agent);
    const double at = sleeping_.wake_time(agent, written);
    asleep_apart_.erase(place_of(agent));
    agent.asleep = false;
    ++wakes_;
    if (pace.period > 0) {
      record_.polls += static_cast<std::uint64_t>((at - agent.next) / pace.period);
      agent.polled_at = at - pace.period;
    }
    agent.poll.resumes(at + pace.behind);
    clock_.release(agent.time, at + pace.behind);
    queue(agent, at + pace.behind);
  }

  /// Lanes of its warp wait elsewhere.
  [[nodiscard]] static bool is_apart(const Agent& agent) {
    return !agent.warp->divergence.groups.empty();
  }

  /// Of a resident warp: no other has the same.
  using AgentPlace = std::pair<std::size_t, std::uint32_t>;
  [[nodiscard]] static AgentPlace place_of(const Agent& agent) {
    return {agent.resident->place, agent.warp->number};
  }

  /// All sleep: where lanes poll for what lanes of their own warp would do, those go on. A warp
  /// that cannot go on like that cannot as long as it sleeps: it is asked once.
  bool wake_for_others() {
    while (!asleep_apart_.empty()) {
      Agent& agent = *asleep_apart_.begin()->second;
      asleep_apart_.erase(asleep_apart_.begin());
      if (!lane_groups::release_awaiting(*agent.warp)) continue;
      agent.asleep = false;
      agent.poll.resumes(agent.next);
      clock_.release(agent.time, agent.next);
      lane_groups::rotate(*agent.warp);
      queue(agent, agent.next);
      return true;
    }
    return false;
  }

  Environment& environment_;
  EventSink& sink_;
  Clock& clock_;
  OrderLimits limits_;
  std::vector<OrderPoint> points_;
  SharedWords words_;  // before sleeping_, which refers to it
  SleepingPolls sleeping_;
  std::span<const std::uint64_t> blocks_;
  std::size_t next_ = 0, residents_ = 0;
  std::uint32_t vain_waits_ = 0;  ///< for phases, since anything was executed
  double launched_ = 0, latest_ = 0;
  std::vector<std::unique_ptr<Resident>> places_, spare_;
  std::vector<std::size_t> free_places_;
  std::priority_queue<Turn> queue_;
  Agent* agent_ = nullptr;
  bool free_ = false;
  std::uint64_t instructions_ = 0, wakes_ = 0;
  /// Warps that sleep while lanes of them wait elsewhere, which may go on.
  std::map<AgentPlace, Agent*> asleep_apart_;
  bool failed_ = false, cut_ = false, stopped_ = false, waits_ = false;
  std::optional<Diagnostic> failure_;
  OrderRecord record_;
};

}  // namespace forewarp::execution
