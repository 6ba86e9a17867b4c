// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mixed.h"
#include "execution/order/event_sink.h"
#include "execution/order/nominal_clock.h"
#include "execution/order/order_limits.h"
#include "execution/order/order_points.h"
#include "execution/order/order_record.h"
#include "execution/order/poll.h"
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
        points_(order_points(*environment.program)) {}

  /// Runs all of them; false: a block faulted, waits for ever, or the limit was reached.
  bool run(std::span<const std::uint64_t> blocks) {
    blocks_ = blocks;
    record_.of_blocks = blocks.size();
    fill(0, Chain{});
    while (!failed_) {
      if (queue_.empty()) {
        if (wake_for_others()) continue;
        if (residents_ == 0 && next_ == blocks_.size()) break;
        if (next_ < blocks_.size() && (!limits_.strict || residents_ == 0)) {
          start_next(latest_, Chain{});
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
      queued = wait_for_word(agent, access);
    }
    clock_.accessed(agent.time, access, {warp.block->linear, agent.resident->place}, shared_word,
                    queued);
    agent.chain.queued += queued;
    if (shared_word) follow_writer(agent, access);
    if (access.kind == AccessKind::load) {
      if (shared_word) see(agent, access);
      return;
    }
    if (changes(warp, access)) {
      agent.poll.wrote();
      if (shared_word || agent.fenced) note_writer(agent, access);
    } else {
      see(agent, access);
    }
    if (!watched_.empty()) wake_by(agent, access);
  }

  [[nodiscard]] const OrderRecord& record() const { return record_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  [[nodiscard]] bool cut() const { return cut_; }
  /// Why it failed; of a cut, where a block stood.
  [[nodiscard]] const std::optional<Diagnostic>& failure() const { return failure_; }
  [[nodiscard]] bool stopped() const { return stopped_; }
  /// The blocks that have not ended, for a sink that wants to be told.
  template <class F>
  void for_each_running(F f) {
    for (auto& resident : places_) {
      if (resident) f(resident->block);
    }
  }

 private:
  /// The waits that led to a warp's present time.
  struct Chain {
    std::uint64_t edges = 0;
    double handed = 0, queued = 0;
    std::uint32_t instruction = OrderRecord::nowhere;
  };
  struct Resident;
  struct Agent {
    Warp* warp = nullptr;
    Resident* resident = nullptr;
    typename Clock::WarpTime time;
    std::uint32_t last = OrderRecord::nowhere;  ///< executed, not yet settled
    double now = 0;                             ///< issue of the last instruction
    double next = 0;  ///< when it goes on, while queued, asleep or at a barrier
    bool fenced = false, asleep = false;
    std::uint64_t sleep = 0;  ///< number of its last wait without being executed, over all agents
    std::uint64_t polls = 0;  ///< the word that it polled last; 0: none
    std::uint32_t naps = 0;   ///< how often the kernel put it to sleep
    std::uint32_t polled_by = OrderRecord::nowhere;  ///< its last access to words that blocks share
    double polled_at = 0;                            ///< and when
    PollDetector poll;
    Chain chain;
  };
  struct Writer {  ///< of a word, the last
    double at = 0;
    std::uint64_t block = 0;
    Chain chain;
  };
  struct Meeting {  ///< at one of a block's barriers
    double at = 0;
    Chain chain;
  };
  struct Resident {
    Block block;
    std::vector<Agent> agents;
    std::array<Meeting, Block::barrier_count> meetings{};
    double start = 0, end = 0;
    Chain chain;
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

  [[nodiscard]] std::uint64_t spent() const {
    return std::min(instructions_ + wake_work * wakes_, limits_.most_instructions);
  }

  void fill(double at, const Chain& chain) {
    while (next_ < blocks_.size() && residents_ < limits_.resident) start_next(at, chain);
  }

  void start_next(double at, const Chain& chain) {
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
    resident->agents.assign(resident->block.warps.size(), Agent{});
    resident->running = resident->agents.size();
    ++residents_;
    record_.most_resident = std::max(record_.most_resident, std::uint64_t{residents_});
    for (std::size_t i = 0; i < resident->agents.size(); ++i) {
      Agent& agent = resident->agents[i];
      agent.warp = &resident->block.warps[i];
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
    queue_.push({at, agent.resident->block.linear, agent.warp->number, &agent});
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
    polls_from_now(agent, 0);  // until it sleeps again
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
          fall_asleep(agent, at)) {
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
    polls_from_now(agent, 0);
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
    const Chain chain = resident.chain;
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
    failed_ = stopped_ = true;
    const Kernel& kernel = *environment_.program->kernel;
    for (const auto& resident : places_) {
      if (!resident) continue;
      for (const Agent& agent : resident->agents) {
        if (!agent.asleep) continue;
        const std::string who = "block " + std::to_string(resident->block.linear) +
                                " waits for ever at " + instruction_text(kernel, agent.warp->pc);
        const std::uint64_t left = blocks_.size() - next_;
        failure_ =
            left == 0
                ? Diagnostic{kernel.name, who + ": no block writes what it waits for",
                             "a write that ends the wait", "check the launch and its buffers"}
                : Diagnostic{kernel.name,
                             who + ": " + std::to_string(residents_) +
                                 " blocks are resident and wait, " + std::to_string(left) +
                                 " others cannot start",
                             "a grid whose blocks are all resident, or waits only for blocks that "
                             "started before",
                             "a smaller --grid"};
        record_.deadlock = failure_;
        return;
      }
    }
    failure_ = Diagnostic{kernel.name, "its blocks wait for ever", "", ""};
  }

  /// A sleep lasts between nothing and twice its time (PTX: nanosleep). Drawn from the middle
  /// quarter of that, so that blocks that sleep equally long do not stay in step for ever.
  static double varied(Agent& agent) {
    const std::uint64_t drawn = mixed((agent.resident->block.linear << 32U) +
                                      (std::uint64_t{agent.warp->number} << 24U) + ++agent.naps);
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

  /// Calls f(address) for every word of the access.
  template <class F>
  static void for_each_word(const MemoryAccess& access, F f) {
    std::uint64_t last = ~std::uint64_t{0};
    for (unsigned i = 0; i < lane_count; ++i) {
      if (!has_lane(access.lanes, i) || access.address[i] == last) continue;
      last = access.address[i];
      const std::uint64_t first = last & ~std::uint64_t{3};
      for (std::uint64_t word = first; word < last + access.bytes; word += 4) f(word);
    }
  }

  std::uint32_t value_at(std::uint64_t address) {
    if (environment_.memory->buffer_of(address, 4) == GlobalMemory::no_buffer) return 0;
    const MemoryPage* page = environment_.memory->page(address, buffer_use::read);
    std::uint32_t value = 0;
    std::memcpy(&value, page->data.data() + address % MemoryPage::bytes, sizeof value);
    return value;
  }

  void see(Agent& agent, const MemoryAccess& access) {
    for_each_word(access, [&](std::uint64_t word) { agent.poll.read(word, value_at(word)); });
  }

  /// A word that is polled has been written since the last poll: what comes next follows from that.
  void follow_writer(Agent& agent, const MemoryAccess& access) {
    const bool again = std::exchange(agent.polled_by, access.instruction) == access.instruction;
    const double before = std::exchange(agent.polled_at, agent.now);
    if (!again) return;
    for_each_word(access, [&](std::uint64_t word) {
      const auto found = writers_.find(word);
      if (found == writers_.end()) return;
      const Writer& writer = found->second;
      const bool other = writer.block != agent.resident->block.linear;
      if (!other || !agent.poll.read_before(word) || writer.at <= before) return;
      ++record_.edges;
      if (writer.chain.edges + 1 <= agent.chain.edges) return;
      agent.chain = writer.chain;
      ++agent.chain.edges;
      agent.chain.handed += agent.now - writer.at;
      agent.chain.instruction = access.instruction;
    });
  }

  void note_writer(const Agent& agent, const MemoryAccess& access) {
    for_each_word(access, [&](std::uint64_t word) {
      writers_[word] = {agent.now, agent.resident->block.linear, agent.chain};
    });
  }

  /// Whether an access other than a load has changed memory; an atomic may have left it as it was.
  bool changes(const Warp& warp, const MemoryAccess& access) {
    if (access.kind != AccessKind::atomic) return true;
    const MicroOp& op = environment_.program->ops[access.instruction];
    if (op.destination == cell::sink || op.has(flag::position)) return true;
    const std::uint32_t* old = warp.cell_at(op.destination);
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(access.lanes, i) && old[i] != value_at(access.address[i])) return true;
    }
    return false;
  }

  /// Time that an atomic waits until those before it on the same word are done.
  double wait_for_word(const Agent& agent, const MemoryAccess& access) {
    double longest = 0;
    std::uint64_t last = ~std::uint64_t{0};
    for (unsigned i = 0; i < lane_count; ++i) {
      if (!has_lane(access.lanes, i) || access.address[i] == last) continue;
      last = access.address[i];
      double& free = word_free_[last];
      const double begin = std::max(agent.now, free);
      free = begin + clock_.word_time(access);
      longest = std::max(longest, begin - agent.now);
    }
    return longest;
  }

  bool fall_asleep(Agent& agent, double at) {
    for (const SeenWord& word : agent.poll.words()) {
      if (value_at(word.address) != word.value) return false;
    }
    agent.asleep = true;
    agent.next = at;
    polls_from_now(agent, agent.poll.words().front().address);
    agent.sleep = ++sleeps_;
    for (const SeenWord& word : agent.poll.words()) {
      std::vector<Watch>& watches = watched_[word.address];
      if (watches.size() == watches.capacity()) std::erase_if(watches, is_over);
      watches.push_back({&agent, word.value, agent.sleep});
    }
    return true;
  }

  /// One sleep of an agent; it is over when that agent sleeps no more, or again. The place in
  /// memory outlives it: all blocks have as many warps, and a resident is used again, never freed.
  struct Watch {
    Agent* agent = nullptr;
    std::uint32_t seen = 0;
    std::uint64_t sleep = 0;
  };
  static bool is_over(const Watch& watch) {
    return !watch.agent->asleep || watch.agent->sleep != watch.sleep;
  }

  void wake_by(const Agent& writer, const MemoryAccess& access) {
    for_each_word(access, [&](std::uint64_t word) {
      const auto found = watched_.find(word);
      if (found == watched_.end()) return;
      const std::uint32_t value = value_at(word);
      std::vector<Agent*> loads, swaps;
      std::erase_if(found->second, is_over);
      for (const Watch& watch : found->second) {
        if (watch.seen == value) continue;
        (polls_by_load(*watch.agent) ? loads : swaps).push_back(watch.agent);
      }
      // One that polls by an atomic may change the word again: the others follow if it does not.
      if (!swaps.empty()) {
        loads.push_back(*std::min_element(swaps.begin(), swaps.end(), [&](auto* a, auto* b) {
          const double first = wake_time(*a, writer.now), second = wake_time(*b, writer.now);
          return first != second ? first < second : before(*a, *b);
        }));
      }
      for (Agent* agent : loads) wake(*agent, writer);
    });
  }

  static bool before(const Agent& a, const Agent& b) {
    const std::uint64_t first = a.resident->block.linear, second = b.resident->block.linear;
    return first != second ? first < second : a.warp->number < b.warp->number;
  }

  [[nodiscard]] bool polls_by_load(const Agent& agent) const {
    return environment_.program->ops[agent.warp->pc].operation == Operation::load;
  }

  /// How often a warp polls a word: as often as its instructions allow, or as its turn comes among
  /// all that poll the word, whose polls its slice serves one after the other.
  struct PollPace {
    double period = 0;
    double behind = 0;  ///< what an access to the word waits for polls before it
  };
  [[nodiscard]] PollPace pace_of(const Agent& agent) const {
    const double period = agent.poll.period();
    if (!(period > 0)) return {};
    const auto found = pollers_.find(agent.polls);
    const double beside = found == pollers_.end() ? 0 : static_cast<double>(found->second);
    const double behind = std::max(0.0, beside * clock_.poll_time() - period);
    return {period + behind, behind};
  }

  /// When the first poll after `written` begins.
  [[nodiscard]] double wake_time(const Agent& agent, double written) const {
    const double period = pace_of(agent).period;
    if (written <= agent.next || !(period > 0)) return std::max(agent.next, written);
    return agent.next + period * std::ceil((written - agent.next) / period);
  }

  /// The write waits behind the polls before it, and the poll that sees it behind it: as if it
  /// began later by that.
  void wake(Agent& agent, const Agent& writer) {
    const PollPace pace = pace_of(agent);
    const double at = wake_time(agent, writer.now);
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

  /// All sleep: where lanes poll for what lanes of their own warp would do, those go on.
  bool wake_for_others() {
    for (const auto& resident : places_) {
      if (!resident) continue;
      for (Agent& agent : resident->agents) {
        if (!agent.asleep || !lane_groups::release_awaiting(*agent.warp)) continue;
        agent.asleep = false;
        agent.poll.resumes(agent.next);
        clock_.release(agent.time, agent.next);
        lane_groups::rotate(*agent.warp);
        queue(agent, agent.next);
        return true;
      }
    }
    return false;
  }

  /// Counts those that poll each word; 0: none.
  void polls_from_now(Agent& agent, std::uint64_t word) {
    if (agent.polls == word) return;
    if (agent.polls != 0) --pollers_[agent.polls];
    if (word != 0) {
      const std::uint64_t polling = ++pollers_[word];
      if (polling > record_.pollers) {
        record_.pollers = polling;
        record_.poll_period = agent.poll.period();
      }
    }
    agent.polls = word;
  }

  Environment& environment_;
  EventSink& sink_;
  Clock& clock_;
  OrderLimits limits_;
  std::vector<OrderPoint> points_;
  std::span<const std::uint64_t> blocks_;
  std::size_t next_ = 0, residents_ = 0;
  std::uint32_t vain_waits_ = 0;  ///< for phases, since anything was executed
  double launched_ = 0, latest_ = 0;
  std::vector<std::unique_ptr<Resident>> places_, spare_;
  std::vector<std::size_t> free_places_;
  std::priority_queue<Turn> queue_;
  std::unordered_map<std::uint64_t, std::vector<Watch>> watched_;
  std::unordered_map<std::uint64_t, std::uint64_t> pollers_;  ///< of each word
  std::unordered_map<std::uint64_t, double> word_free_;
  std::unordered_map<std::uint64_t, Writer> writers_;
  std::uint64_t sleeps_ = 0;
  Agent* agent_ = nullptr;
  bool free_ = false;
  std::uint64_t instructions_ = 0, wakes_ = 0;
  bool failed_ = false, cut_ = false, stopped_ = false;
  std::optional<Diagnostic> failure_;
  OrderRecord record_;
};

}  // namespace forewarp::execution
