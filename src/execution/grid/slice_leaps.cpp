// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/slice_leaps.h"

#include <algorithm>
#include <utility>

#include "analysis/control_flow.h"
#include "execution/state/operands.h"

namespace forewarp::execution {
namespace {

bool is_skipped(const MicroOp& op) {
  return op.operation == Operation::none && op.guard_flip == all_lanes;
}

void pass_over(Warp& warp, const MicroOp& op, LaneMask /*lanes*/) {
  warp.pc += op.immediate;  // the run loop adds the step over `op` itself
}

MicroOp step_over(std::uint32_t more) {
  MicroOp op;
  op.handler = pass_over;
  op.kind = OperationKind::warp;
  op.flags = flag::own_unknown;
  op.immediate = more;
  return op;
}

/// The loop that the branch repeats, if it is one.
std::optional<CountedLoop> counted_loop(const Program& slice, std::uint32_t branch) {
  constexpr std::size_t most_cells = 8;
  const MicroOp& op = slice.ops[branch];
  if (op.operation != Operation::branch || op.guard == predicate::always) return {};
  if (op.second > branch || op.has(flag::pops)) return {};
  CountedLoop loop{op.second, branch, {}, {}};
  for (std::uint32_t i = loop.first; i < branch; ++i) {
    const MicroOp& own = slice.ops[i];
    if (is_skipped(own)) continue;
    const bool linear = own.operation == Operation::add || own.operation == Operation::move;
    const bool plain = own.guard == predicate::always && own.guard_flip == 0 &&
                       !own.has(flag::pops | flag::gives_way | flag::carry_in | flag::carry_out |
                                flag::set_code | flag::extended);
    if (!plain || !(linear || own.operation == Operation::compare)) return {};
    loop.ops.push_back(i);
    const auto cells = slice.writes(i);
    loop.cells.insert(loop.cells.end(), cells.begin(), cells.end());
  }
  if (loop.cells.empty() || loop.cells.size() > most_cells) return {};
  return loop;
}

/// A value that grows by the same in each pass.
struct StraightLine {
  std::int64_t first = 0, step = 0;

  StraightLine(std::uint32_t now, std::uint32_t next, bool is_signed)
      : first(is_signed ? std::int64_t{static_cast<std::int32_t>(now)} : std::int64_t{now}),
        step(static_cast<std::int32_t>(next - now)) {}
  [[nodiscard]] std::int64_t after(std::uint32_t passes) const { return first + step * passes; }
  bool operator==(const StraightLine&) const = default;
};

/// What the comparisons of a loop compare, as long as it does not wrap around.
class StraightLines {
 public:
  template <class Sides>
  StraightLines(const Program& slice, const CountedLoop& loop, const std::vector<Sides>& now,
                const std::vector<Sides>& next, LaneMask lanes) {
    std::size_t at = 0;
    for (const std::uint32_t i : loop.ops) {
      const MicroOp& op = slice.ops[i];
      if (op.operation != Operation::compare) continue;
      const bool is_signed = op.has(flag::is_signed);
      for (unsigned lane = 0; lane < lane_count; ++lane) {
        if (!has_lane(lanes, lane)) continue;
        const Pair pair{{now[at].a[lane], next[at].a[lane], is_signed},
                        {now[at].b[lane], next[at].b[lane], is_signed},
                        is_signed};
        // Mostly all lanes compare the same.
        if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
      }
      ++at;
    }
  }

  /// Whether all of them turn out as they do now: the lesser side stays the lesser one.
  [[nodiscard]] bool hold_until(std::uint32_t passes) const {
    return std::ranges::all_of(pairs_, [&](const Pair& pair) {
      const std::int64_t a = pair.a.after(passes), b = pair.b.after(passes);
      return in_range(a, pair.is_signed) && in_range(b, pair.is_signed) &&
             sign(a - b) == sign(pair.a.first - pair.b.first);
    });
  }

 private:
  struct Pair {
    StraightLine a, b;
    bool is_signed;
    bool operator==(const Pair&) const = default;
  };

  static bool in_range(std::int64_t value, bool is_signed) {
    constexpr std::int64_t half = std::int64_t{1} << 31;
    return is_signed ? value >= -half && value < half : value >= 0 && value < 2 * half;
  }
  static int sign(std::int64_t value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

  std::vector<Pair> pairs_;
};

}  // namespace

LoopLeaper::LoopLeaper(const Program& slice) : slice_(slice), loops_(slice.ops.size()) {
  for (std::uint32_t i = 0; i < loops_.size(); ++i) loops_[i] = counted_loop(slice, i);
}

std::uint64_t LoopLeaper::leap(Warp& warp, std::uint32_t branch, LaneMask active, LaneMask taken) {
  const std::optional<CountedLoop>& loop = loops_[branch];
  if (!loop || taken != active || warp.unknown.any) {
    seen_ = 0;
    return 0;
  }
  if (branch != branch_ || &warp != warp_ || active != active_) seen_ = 0;
  branch_ = branch;
  warp_ = &warp;
  active_ = active;
  Rows now = rows_of(warp, *loop);
  Rows added = now;
  if (seen_ > 0) {
    for (std::size_t i = 0; i < now.size(); ++i) added[i] = now[i] - last_[i];
  }
  const bool steady = seen_ > 1 && added == added_;
  ++seen_;
  last_ = std::move(now);
  added_ = std::move(added);
  if (!steady) return 0;
  seen_ = 0;
  return leap_over(warp, *loop) * loop->length();
}

LoopLeaper::Rows LoopLeaper::rows_of(const Warp& warp, const CountedLoop& loop) {
  Rows rows;
  for (const std::uint32_t cell : loop.cells) {
    const std::uint32_t* values = warp.cell_at(cell);
    rows.insert(rows.end(), values, values + lane_count);
  }
  return rows;
}

/// Puts the counters where they are after `passes` further passes.
void LoopLeaper::put(Warp& warp, const CountedLoop& loop, std::uint32_t passes) const {
  std::size_t at = 0;
  for (const std::uint32_t cell : loop.cells) {
    std::uint32_t* values = warp.cell_at(cell);
    for (unsigned lane = 0; lane < lane_count; ++lane, ++at)
      values[lane] = last_[at] + added_[at] * passes;
  }
}

/// Makes the pass after `passes` further ones; whether all lanes repeat the loop after it.
bool LoopLeaper::repeats_after(Warp& warp, const CountedLoop& loop, std::uint32_t passes) {
  put(warp, loop, passes);
  sides_.clear();
  for (const std::uint32_t i : loop.ops) {
    const MicroOp& op = slice_.ops[i];
    if (op.operation == Operation::compare) {
      Sides& sides = sides_.emplace_back();
      std::copy_n(source_values(warp, op, 0), lane_count, sides.a.begin());
      std::copy_n(source_values(warp, op, 1), lane_count, sides.b.begin());
    }
    op.handler(warp, op, op.has(flag::uniform) ? all_lanes : active_);
  }
  const MicroOp& branch = slice_.ops[loop.branch];
  return (active_ & (warp.predicates[branch.guard] ^ branch.guard_flip)) == active_;
}

std::uint64_t LoopLeaper::leap_over(Warp& warp, const CountedLoop& loop) {
  constexpr std::uint32_t most = 1U << 30U;
  const auto predicates = warp.predicates;
  const bool repeats = repeats_after(warp, loop, 0);
  const std::vector<Sides> now = sides_;
  if (!repeats || !repeats_after(warp, loop, 1)) {
    put(warp, loop, 0);  // the next pass decides again
    warp.predicates = predicates;
    return 0;
  }
  const StraightLines lines(slice_, loop, now, sides_, active_);
  std::uint32_t good = 0, bad = 1;
  while (bad < most && lines.hold_until(bad)) {
    good = bad;
    bad *= 2;
  }
  while (bad - good > 1) {
    const std::uint32_t middle = good + (bad - good) / 2;
    (lines.hold_until(middle) ? good : bad) = middle;
  }
  (void)repeats_after(warp, loop, good);
  return std::uint64_t{good} + 1;
}

ShortSlice::ShortSlice(const Program& slice) : program(slice), passed(slice.ops.size(), 0) {
  const ControlFlow flow(*slice.kernel);
  for (const auto& block : flow.blocks()) {
    std::uint32_t more = 0;
    for (std::uint32_t i = block.end; i-- > block.first;) {
      if (!is_skipped(slice.ops[i])) {
        more = 0;
        continue;
      }
      passed[i] = more;
      if (more++ > 0) program.ops[i] = step_over(passed[i]);
    }
  }
}

}  // namespace forewarp::execution
