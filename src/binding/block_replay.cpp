// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/block_replay.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "binding/issue_rules.h"
#include "binding/path_walker.h"

namespace forewarp::binding {
namespace {

struct Warp {
  Warp(const WarpPath& path, double share) : walker(path, share) {}

  PathWalker walker;
  std::uint32_t scheduler = 0;
  IssueState<double> state;
  bool paired = false;  ///< the next instruction issues with the one just issued
  double draw = 0;      ///< 0 to 1: determines where the loads up to the next wait find their data
};

double instructions_of(const std::vector<PathStep>& steps, const std::vector<PathLoop>& loops) {
  double count = 0;
  for (const PathStep& step : steps) {
    count += step.is_loop()
                 ? std::max(0.0, loops[step.loop].trips) * instructions_of(step.body, loops)
                 : step.last - step.first;
  }
  return count;
}

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::uint32_t no_instruction = 0xffffffff;

/// The least of some times; in two chains, as each step waits for the one before.
double least_of(const double* times, std::size_t count) {
  double even = never, odd = never;
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) {
    even = std::min(even, times[i]);
    odd = std::min(odd, times[i + 1]);
  }
  return std::min({even, odd, i < count ? times[i] : never});
}

/// A unit that an instruction passes, as numbers.
struct UnitUse {
  std::size_t unit = 0;  ///< place among the times, for the first scheduler
  bool per_scheduler = false;
  bool issues = false;     ///< it is the warp scheduler
  bool admits = true;      ///< it holds the warp while it is busy ..
  double busy_before = 0;  ///< .. for longer than this
  double cycles = 0;
};

class Replay {
 public:
  Replay(const BoundTiming& timing, std::span<const ReplayInstruction> instructions,
         const ReplayMachine& machine, std::uint32_t warps)
      : timing_(timing),
        rules_(rules_of(timing)),
        instructions_(instructions),
        machine_(machine),
        row_((warps + machine.schedulers - 1) / machine.schedulers),
        free_(machine.resources.size() * machine.schedulers, 0.0),
        waiting_(row_ * machine.schedulers, never),
        earliest_(machine.schedulers, never),
        last_issued_(machine.schedulers, 0) {
    first_use_.reserve(instructions.size() + 1);
    for (std::uint32_t i = 0; i < instructions.size(); ++i) add_uses(i);
    first_use_.push_back(uses_.size());
    warps_.reserve(warps);
  }

  void add(const WarpPath& path, double share) {
    Warp& warp = warps_.emplace_back(path, share);
    const auto number = static_cast<std::uint32_t>(warps_.size() - 1);
    warp.scheduler = number % machine_.schedulers;
    warp.state.next.at = number * machine_.warp_launch;
    warp.state.ready.resize(timing_.slots.size());
    warp.draw = number == 0 ? 0.5 : next_draw(warps_[number - 1].draw);
    if (warp.walker.at_end()) return;
    ++barrier_.alive;
    wait(number, warp.state.next.at);
  }

  /// Runs to the end or for `most_issues` issues; returns how many there were.
  std::uint64_t run(std::uint64_t most_issues) {
    std::uint64_t issues = 0;
    while (issues < most_issues) {
      auto next = std::min_element(earliest_.begin(), earliest_.end());
      if (*next == never) {
        if (barrier_.arrived == 0) break;
        release();  // the others passed the barrier on another path
        next = std::min_element(earliest_.begin(), earliest_.end());
      }
      if (choose(*next, static_cast<std::uint32_t>(next - earliest_.begin()))) ++issues;
    }
    return issues;
  }

  [[nodiscard]] double end() const { return end_; }
  [[nodiscard]] bool ended() const { return barrier_.alive == 0; }

 private:
  void add_uses(std::uint32_t index) {
    const ReplayInstruction& replayed = instructions_[index];
    const bool variable = timing_.instructions[index].variable;
    first_use_.push_back(uses_.size());
    for (const ResourceUse& use : replayed.uses) {
      const ResourceScope scope = machine_.resources[use.resource].scope;
      UnitUse made;
      made.unit = std::size_t{use.resource} * machine_.schedulers;
      made.per_scheduler = scope == ResourceScope::scheduler;
      made.issues = use.resource == machine_.issue;
      made.cycles = use.cycles;
      if (!made.issues && replayed.memory) {
        // Data paths behind the interface have queues of their own; only the pipes hold its queue.
        made.admits = use.resource == machine_.interface || scope == ResourceScope::interface;
        made.busy_before = machine_.memory_queue * use.cycles;
      } else if (!made.issues && variable) {
        made.busy_before = machine_.unit_queue * use.cycles;
      }
      uses_.push_back(made);
    }
  }

  [[nodiscard]] std::span<const UnitUse> uses_of(std::uint32_t index) const {
    return std::span(uses_).subspan(first_use_[index], first_use_[index + 1] - first_use_[index]);
  }

  /// Of the warps ready at `time`, the last to issue goes first, then the others in turn, as far as
  /// their units are free; the rest try again when theirs are.
  bool choose(double time, std::uint32_t scheduler) {
    double* const row = waiting_.data() + scheduler * row_;
    const std::size_t last = last_issued_[scheduler];
    ready_.clear();
    const auto take = [&](std::size_t from, std::size_t to) {
      for (std::size_t place = from; place < to; ++place) {
        if (row[place] != time) continue;
        row[place] = never;
        ready_.push_back(static_cast<std::uint32_t>(place));
      }
    };
    take(last, row_);
    take(0, last);
    bool issued = false;
    std::uint32_t refused = no_instruction;  // since the last issue, of a warp that is not paired
    double until = time;
    for (const std::uint32_t place : ready_) {
      const std::uint32_t number = place * machine_.schedulers + scheduler;
      Warp& warp = warps_[number];
      const std::uint32_t index = warp.walker.instruction();
      const bool known = index == refused && !warp.paired;
      const double at = known ? until : admitted(warp, index, time);
      if (at > time) {
        wait(number, at);
        if (warp.paired) continue;
        refused = index;
        until = at;
      } else {
        last_issued_[scheduler] = place;
        issue(warp, number, at);
        issued = true;
        refused = no_instruction;
      }
    }
    earliest_[scheduler] = least_of(row, row_);
    return issued;
  }

  void wait(std::uint32_t number, double until) {
    const std::uint32_t scheduler = warps_[number].scheduler;
    waiting_[scheduler * row_ + number / machine_.schedulers] = until;
    earliest_[scheduler] = std::min(earliest_[scheduler], until);
  }

  double& free_at(const UnitUse& use, const Warp& warp) {
    return free_[use.unit + (use.per_scheduler ? warp.scheduler : 0)];
  }

  /// When units and queues accept the instruction, at `time` or later.
  double admitted(const Warp& warp, std::uint32_t i, double time) const {
    // The compiler pairs only instructions whose issue slots and units do not conflict.
    if (warp.paired && !instructions_[i].memory) return time;
    double at = time;
    for (const UnitUse& use : uses_of(i)) {
      if (!use.admits || (warp.paired && use.issues)) continue;
      const double free = free_[use.unit + (use.per_scheduler ? warp.scheduler : 0)];
      const double there = free - use.busy_before;
      if (there > at) at = there;
    }
    return at;
  }

  /// Occupies the units one after the other; returns how long the instruction waited for them.
  double take_units(std::uint32_t index, const Warp& warp, double at) {
    double passes = at;
    for (const UnitUse& use : uses_of(index)) {
      if (warp.paired && use.issues) continue;
      double& free = free_at(use, warp);
      const double start = std::max(passes, free);
      free = start + use.cycles;
      if (!use.issues) passes = start;
    }
    return passes - at;
  }

  /// Loads issued between two waits access one part of the data and hit or miss together, so a warp
  /// keeps its draw from one wait to the next.
  [[nodiscard]] double latency_of(Warp& warp, std::uint32_t index) const {
    const LoadPlaces& places = instructions_[index].places;
    if (!places.varies()) return timing_.instructions[index].latency;
    warp.state.drawn = true;
    double draw = warp.draw - places.share_none;
    if (draw < 0) return 0;
    if ((draw -= places.share_l1) < 0) return places.l1;
    return draw < places.share_l2 ? places.l2 : places.memory;
  }

  void issue(Warp& warp, std::uint32_t number, double at) {
    const std::uint32_t index = warp.walker.instruction();
    const BoundInstruction& bound = timing_.instructions[index];
    const double held = take_units(index, warp, at);
    const double begun = at + held;
    const IssueSlots slots{bound.reads, bound.writes, {}};
    set_results(warp.state, bound, slots, {at}, {begun + latency_of(warp, index)},
                {begun + bound.read_release}, rules_);
    follow_on(warp.state, bound, warp.walker.jumps(), {at}, rules_);
    warp.paired = bound.dual_with_next && !warp.paired;
    end_ = std::max(end_, at);
    warp.walker.advance();
    if (warp.walker.at_end()) {
      barrier_.leave(at);
    } else if (bound.is_barrier) {
      barrier_.arrive(at + bound.barrier_latency);
      arrived_.push_back(number);
    } else {
      wait(number, earliest(warp));
    }
    if (barrier_.complete()) release();
  }

  void release() {
    const double released = barrier_.release();
    for (const std::uint32_t number : arrived_) {
      Warp& warp = warps_[number];
      let_go(warp.state, {released});
      wait(number, earliest(warp));
    }
    arrived_.clear();
  }

  [[nodiscard]] static double next_draw(double draw) {
    constexpr double golden = 0.6180339887498949;  // spreads evenly over 0 to 1
    return draw + golden < 1 ? draw + golden : draw + golden - 1;
  }

  /// When the warp itself is ready for its next instruction.
  [[nodiscard]] double earliest(Warp& warp) const {
    const BoundInstruction& bound = timing_.instructions[warp.walker.instruction()];
    const IssueSlots slots{bound.reads, bound.writes, {}};
    const double at = earliest_issue(warp.state, bound, slots, rules_).at;
    if (takes_new_draw(warp.state, at)) warp.draw = next_draw(warp.draw);
    return at;
  }

  const BoundTiming& timing_;
  WarpRules<double> rules_;
  std::span<const ReplayInstruction> instructions_;
  const ReplayMachine& machine_;
  std::vector<UnitUse> uses_;           ///< instruction by instruction
  std::vector<std::size_t> first_use_;  ///< by instruction, and the end
  std::vector<Warp> warps_;             ///< one after the other, each of the next scheduler
  std::size_t row_;                     ///< most warps of a scheduler
  std::vector<double> free_;            ///< by resource and scheduler
  std::vector<double> waiting_;         ///< by scheduler and warp: until when; or `never`
  std::vector<double> earliest_;        ///< by scheduler, of these
  std::vector<std::uint32_t> last_issued_, ready_;  ///< places in the row of a scheduler
  std::vector<std::uint32_t> arrived_;              ///< at the block's barrier
  BlockBarrier<double> barrier_;
  double end_ = 0;
};

/// Warps of each path, by the largest-remainder method; at least one each if there are enough.
std::vector<std::uint32_t> divide(const std::vector<WarpPath>& paths, std::uint32_t warps) {
  std::vector<std::uint32_t> counts;
  std::uint32_t left = warps;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const auto after = static_cast<std::uint32_t>(paths.size() - 1 - p);
    const auto share = static_cast<std::uint32_t>(paths[p].share * warps + 0.5);
    const std::uint32_t room = left > after ? left - after : 0;
    counts.push_back(p + 1 == paths.size() ? left : std::clamp(share, std::min(1U, left), room));
    left -= counts.back();
  }
  return counts;
}

/// One run with a share of the iterations of the outermost loops.
struct Followed {
  double cycles = 0, issues = 0;
  bool ended = false;  ///< every warp reached its end
};

}  // namespace

BlockReplay replay_block(const BoundTiming& timing, std::span<const ReplayInstruction> instructions,
                         const ReplayMachine& machine, const std::vector<WarpPath>& paths,
                         std::uint32_t warps, std::uint64_t most_issues) {
  const std::vector<std::uint32_t> counts = divide(paths, warps);
  double all = 0;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    all += counts[p] * instructions_of(paths[p].steps, paths[p].loops);
  }
  const auto follow = [&](double share) {
    constexpr std::uint64_t slack = 4;  // for blocks that are long because of inner loops
    Replay replay(timing, instructions, machine, warps);
    for (std::size_t p = 0; p < paths.size(); ++p) {
      for (std::uint32_t w = 0; w < counts[p]; ++w) replay.add(paths[p], share);
    }
    const auto issues = static_cast<double>(replay.run(slack * most_issues));
    return Followed{replay.end(), issues, replay.ended()};
  };
  const double share = std::min(1.0, static_cast<double>(most_issues) / std::max(all, 1.0));
  const Followed part = follow(share);
  BlockReplay result;
  result.replayed = all > 0 ? std::min(1.0, part.issues / all) : 1;
  if (result.replayed <= 0) return result;
  result.cycles = part.cycles / result.replayed;
  if (share >= 1 || !part.ended) return result;
  const Followed half = follow(share / 2);
  const double more = part.issues - half.issues;
  if (half.ended && more > part.issues / 4) {  // code outside the loops runs once
    result.cycles = part.cycles + (part.cycles - half.cycles) / more * (all - part.issues);
  }
  return result;
}

}  // namespace forewarp::binding
