// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/latency_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "binding/issue_rules.h"

namespace forewarp::binding {
namespace {

constexpr double equal_cycles = 1e-6;  // sums of cycle counts that differ by less are equal
constexpr std::uint32_t longest_period = 4;
constexpr std::uint32_t iterations_tried = 48;

/// What caused a moment, and how the moment depends on trip counts.
struct PathOrigin {
  std::uint32_t form = 0;   ///< index into Scheduler::forms_; 0 is the empty polynomial
  std::int32_t event = -1;  ///< issue that caused it
};
using Warp = IssueState<double, PathOrigin>;
using PathMoment = Warp::Point;  ///< cycles at this launch's trip counts

struct State {
  Warp warp;
  bool meets_barrier = false;  ///< `warp.next` is the release of the block's barrier
  PathMoment end;              ///< issue of the last instruction that counts
};

class Scheduler {
 public:
  Scheduler(const BoundTiming& timing, const WarpPath& path, LoopCounting counting,
            std::uint64_t unroll_limit)
      : timing_(timing),
        rules_(rules_of(timing)),
        path_(path),
        counting_(counting),
        budget_(unroll_limit) {
    state_.warp.ready.resize(timing.slots.size());
    forms_.emplace_back();
    result_.valid_from.assign(path.loops.size(), 0);
    for (const PathLoop& loop : path.loops) trips_.push_back(loop.trips);
  }

  LatencyPath finish(const std::vector<PathStep>& steps) {
    run(steps);
    return conclude();
  }

  void run(const std::vector<PathStep>& steps) {
    for (const PathStep& step : steps) {
      if (step.is_loop()) {
        run_loop(step);
        if (step.leaves_at_end && path_.loops[step.loop].trips >= 1) fall_through(step);
      } else {
        run_range(step.first, step.last, step.jumps);
      }
    }
  }

  /// Issues instructions [first, last); if `jumps`, the last one jumps.
  void run_range(std::uint32_t first, std::uint32_t last, bool jumps) {
    for (std::uint32_t i = first; i < last; ++i) issue(i, jumps && i + 1 == last);
  }

  /// Issue of the barrier just reached, or of the last instruction.
  [[nodiscard]] double last_issue() const { return state_.end.at; }
  void wait_until(double cycle) {
    if (let_go(state_.warp, {cycle, state_.warp.next.origin})) state_.meets_barrier = true;
  }

  void forget_formula() { result_.formula_valid = false; }

  LatencyPath conclude() {
    const PathMoment end = state_.end;
    const TripPolynomial& form = forms_[end.origin.form];
    result_.cycles = end.at + timing_.replacement;
    result_.formula = form;
    result_.formula.add(result_.cycles - form.evaluate(trips_), 0);
    mark_critical(end.origin.event);
    return std::move(result_);
  }

 private:
  static IssueCause cause_of(Held held) {
    switch (held) {
      case Held::value:
        return IssueCause::operand;
      case Held::barrier:
        return IssueCause::scoreboard;
      case Held::store:
        break;
    }
    return IssueCause::order;
  }

  void issue(std::uint32_t index, bool jumps) {
    const BoundInstruction& instruction = timing_.instructions[index];
    const IssueSlots slots{instruction.reads, instruction.writes, {}};
    PathMoment at = state_.warp.next;
    IssueEvent event;
    event.instruction = index;
    event.cause = result_.events.empty() ? IssueCause::start
                  : state_.meets_barrier ? IssueCause::barrier
                                         : IssueCause::order;
    event.after = at.origin.event;
    what_holds(state_.warp, instruction, slots, rules_,
               [&](const PathMoment& until, Held held, std::uint16_t slot) {
                 if (until.at <= at.at) return;
                 at = until;
                 event.cause = cause_of(held);
                 event.after = until.origin.event;
                 event.slot = slot;
               });
    event.cycle = at.at;
    at.origin.event = static_cast<std::int32_t>(result_.events.size());
    result_.events.push_back(event);
    const bool counts = !instruction.is_exit || timing_.exit_takes_time;
    if (counts && at.at >= state_.end.at) state_.end = at;
    complete(instruction, slots, at, jumps);
  }

  void complete(const BoundInstruction& instruction, const IssueSlots& slots, const PathMoment& at,
                bool jumps) {
    const auto after = [&](double cycles) { return PathMoment{at.at + cycles, at.origin}; };
    set_results(state_.warp, instruction, slots, at, after(instruction.latency),
                after(instruction.read_release), rules_);
    follow_on(state_.warp, instruction, jumps, at, rules_);
    state_.meets_barrier =
        instruction.is_barrier && let_go(state_.warp, after(instruction.barrier_latency));
  }

  /// Whether `after` equals `before` shifted by `shift`, in all that later instructions can notice.
  [[nodiscard]] static bool shifted(const State& before, const State& after, double shift) {
    const double floor_before = before.warp.next.at;
    const double floor_after = after.warp.next.at;
    const auto same = [&](const PathMoment& a, const PathMoment& b) {
      return std::fabs(std::max(a.at - floor_before, 0.0) - std::max(b.at - floor_after, 0.0)) <
             equal_cycles;
    };
    const auto all_same = [&](const auto& a, const auto& b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
    };
    if (std::fabs(floor_after - floor_before - shift) > equal_cycles) return false;
    return all_same(before.warp.ready, after.warp.ready) &&
           all_same(before.warp.release, after.warp.release) &&
           std::equal(before.warp.pending.begin(), before.warp.pending.end(),
                      after.warp.pending.begin(), after.warp.pending.end(), all_same) &&
           before.warp.loads_in_a_row == after.warp.loads_in_a_row;
  }

  void run_loop(const PathStep& step) {
    const PathLoop& loop = path_.loops[step.loop];
    const double trips = std::max(loop.trips, 0.0);
    if (loop.varies) result_.formula_valid = false;
    if (trips < 1) return;

    // history[k] is the state after k+1 iterations.
    std::vector<State> history;
    std::uint32_t start = 0, period = 0;
    const auto wanted = static_cast<std::uint32_t>(std::min(trips, 4e9));
    while (period == 0 && history.size() < iterations_tried && spend(step)) {
      run(step.body);
      history.push_back(state_);
      period = find_period(history, start);
    }
    if (counting_ == LoopCounting::repeated && period == 1) {
      state_ = history.front();
      shift(history[start], history[start + 1], trips, 0, step.loop, history.front());
      return;
    }
    if (period == 0 || wanted <= start) return run_out(step, history, wanted);
    const std::uint32_t rest = (wanted - 1 - start) % period;
    state_ = history[start + rest];
    const double skipped = (trips - 1 - start - rest) / period;
    if (period == 1) {
      result_.valid_from[step.loop] = std::max(result_.valid_from[step.loop], start + 1.0);
      shift(history[start], history[start + 1], skipped, start + 1.0, step.loop, history[start]);
    } else {
      result_.formula_valid = false;
      shift_numbers(history[start], history[start + period], skipped);
    }
  }

  /// The last iteration does not take the branch at the end: the next instruction follows sooner.
  void fall_through(const PathStep& loop) {
    const PathStep& last = loop.body.back();
    if (last.is_loop() || !last.jumps) return;
    const BoundInstruction& branch = timing_.instructions[last.last - 1];
    state_.warp.next.at += branch.spacing - branch.spacing_taken;
  }

  /// The smallest start (an index of history) from which iterations repeat with a period.
  static std::uint32_t find_period(const std::vector<State>& history, std::uint32_t& start) {
    const std::size_t n = history.size();
    for (std::uint32_t period = 1; period <= longest_period && period < n; ++period) {
      const State& before = history[n - 1 - period];
      if (shifted(before, history[n - 1], history[n - 1].warp.next.at - before.warp.next.at)) {
        start = static_cast<std::uint32_t>(n - 1 - period);
        return period;
      }
    }
    return 0;
  }

  /// Without a period, or if the loop ends before it: iterates to the end, or as far as allowed.
  void run_out(const PathStep& step, const std::vector<State>& history, std::uint32_t wanted) {
    if (wanted <= history.size()) {
      state_ = history[wanted - 1];
      result_.valid_from[step.loop] = std::numeric_limits<double>::infinity();
      return;
    }
    result_.formula_valid = false;
    std::uint32_t done = static_cast<std::uint32_t>(history.size());
    const double begin = state_.warp.next.at;
    std::uint32_t further = 0;
    for (; done < wanted && spend(step); ++done, ++further) run(step.body);
    if (done < wanted && further > 0) {
      // The budget is spent: the remaining iterations take the mean time of those unrolled.
      const double pace = (state_.warp.next.at - begin) / further;
      shift_all(state_.warp.next.at, pace * (wanted - done), 0);
    }
  }

  bool spend(const PathStep& step) {
    std::uint64_t size = 1;
    for (const PathStep& inner : step.body) size += inner.last - inner.first + 1;
    if (budget_ < size) return false;
    budget_ -= size;
    return true;
  }

  /// Skips `skipped` iterations, each of which only shifts the state from `before` to `after`.
  void shift(const State& before, const State& after, double skipped, double run_already,
             std::uint32_t loop, const State& from) {
    const double delta = after.warp.next.at - before.warp.next.at;
    TripPolynomial difference = forms_[after.warp.next.origin.form];
    difference.add(forms_[before.warp.next.origin.form], -1);
    const double constant = delta - difference.evaluate(trips_);
    // (trips - run_already) * (constant + difference), without its constant term.
    TripPolynomial form = difference.times_loop(loop);
    form.add(constant, std::uint64_t{1} << loop);
    form.add(difference, -run_already);
    shift_all(from.warp.next.at, delta * skipped, add_form(std::move(form)));
  }

  void shift_numbers(const State& before, const State& after, double skipped) {
    shift_all(before.warp.next.at, (after.warp.next.at - before.warp.next.at) * skipped, 0);
  }

  std::uint32_t add_form(TripPolynomial form) {
    forms_.push_back(std::move(form));
    return static_cast<std::uint32_t>(forms_.size() - 1);
  }

  /// Moves every moment that the loop updates. A value from before the loop stays where it is: it
  /// is ready before the loop's next issue, so no later instruction waits for it.
  void shift_all(double since, double by, std::uint32_t form) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> known;  // old form -> shifted form
    const auto moved_form = [&](std::uint32_t old) {
      for (const auto& [from, to] : known) {
        if (from == old) return to;
      }
      TripPolynomial sum = forms_[old];
      sum.add(forms_[form]);
      known.emplace_back(old, add_form(std::move(sum)));
      return known.back().second;
    };
    const auto move = [&](PathMoment& moment) {
      moment.at += by;
      if (form != 0) moment.origin.form = moved_form(moment.origin.form);
    };
    const auto move_renewed = [&](PathMoment& moment) {
      if (moment.at >= since) move(moment);
    };
    Warp& warp = state_.warp;
    move(warp.next);
    move(state_.end);
    move_renewed(warp.last_store);
    std::for_each(warp.ready.begin(), warp.ready.end(), move_renewed);
    std::for_each(warp.release.begin(), warp.release.end(), move_renewed);
    for (auto& pending : warp.pending) {
      std::for_each(pending.begin(), pending.end(), move_renewed);
    }
  }

  void mark_critical(std::int32_t event) {
    std::size_t steps = 0;
    while (event >= 0 && steps++ < result_.events.size()) {
      result_.critical.push_back(static_cast<std::uint32_t>(event));
      event = result_.events[static_cast<std::size_t>(event)].after;
    }
    std::reverse(result_.critical.begin(), result_.critical.end());
  }

  const BoundTiming& timing_;
  WarpRules<double> rules_;
  const WarpPath& path_;
  LoopCounting counting_;
  std::uint64_t budget_;
  State state_;
  std::vector<TripPolynomial> forms_;
  std::vector<double> trips_;
  LatencyPath result_;
};

}  // namespace

LatencyPath latency_path(const BoundTiming& timing, const WarpPath& path, LoopCounting counting,
                         std::uint64_t unroll_limit) {
  return Scheduler(timing, path, counting, unroll_limit).finish(path.steps);
}

namespace {

/// Position in the straight part of a path, which ends with the next top-level barrier.
struct Cursor {
  std::size_t step = 0;
  std::uint32_t instruction = 0;  ///< within a run that a barrier divides; 0: from its start
};

/// Runs until a barrier is issued (true) or the path ends (false).
bool run_to_barrier(Scheduler& scheduler, const BoundTiming& timing, const WarpPath& path,
                    Cursor& cursor) {
  while (cursor.step < path.steps.size()) {
    const PathStep& step = path.steps[cursor.step];
    if (step.is_loop()) {
      scheduler.run({step});
    } else {
      std::uint32_t first = std::max(step.first, cursor.instruction);
      for (std::uint32_t i = first; i < step.last; ++i) {
        if (!timing.instructions[i].is_barrier) continue;
        scheduler.run_range(first, i + 1, step.jumps && i + 1 == step.last);
        cursor.instruction = i + 1;
        if (cursor.instruction == step.last) {
          ++cursor.step;
          cursor.instruction = 0;
        }
        return true;
      }
      scheduler.run_range(first, step.last, step.jumps);
    }
    ++cursor.step;
    cursor.instruction = 0;
  }
  return false;
}

}  // namespace

std::vector<LatencyPath> latency_paths(const BoundTiming& timing,
                                       const std::vector<WarpPath>& paths, LoopCounting counting) {
  std::vector<LatencyPath> results;
  if (paths.size() == 1) {
    results.push_back(latency_path(timing, paths.front(), counting));
    return results;
  }
  std::vector<Scheduler> warps;
  warps.reserve(paths.size());
  for (const WarpPath& path : paths) warps.emplace_back(timing, path, counting, 20'000'000);
  std::vector<Cursor> cursors(paths.size());
  std::vector<bool> running(paths.size(), true);
  for (bool any = true; any;) {
    any = false;
    double last = 0;  // latest arrival or exit, for which the others wait
    std::vector<std::size_t> waiting;
    for (std::size_t w = 0; w < warps.size(); ++w) {
      if (!running[w]) continue;
      running[w] = run_to_barrier(warps[w], timing, paths[w], cursors[w]);
      if (running[w]) waiting.push_back(w);
      last = std::max(last, warps[w].last_issue());
    }
    // Which warp arrives last may change with the trip counts, so no formula holds.
    for (const std::size_t w : waiting) warps[w].forget_formula();
    for (const std::size_t w : waiting) {
      warps[w].wait_until(last + timing.rules->barrier);
      any = true;
    }
  }
  for (Scheduler& warp : warps) results.push_back(warp.conclude());
  return results;
}

}  // namespace forewarp::binding
