// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Closed forms of the values that a loop changes. Trip counts are in loop_trip.cpp.
#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/loop_trip.h"
#include "analysis/rewriter.h"

namespace forewarp::analysis {
namespace {

constexpr std::int64_t word = std::int64_t{1} << 32;

/// Orders inner loops before outer ones, otherwise as in the code.
std::vector<LoopId> inner_first(const Loops& loops) {
  std::vector<std::vector<LoopId>> children(loops.all().size());
  std::vector<LoopId> roots, order;
  for (LoopId id = 0; id < loops.all().size(); ++id) {
    const LoopId parent = loops.all()[id].parent;
    (parent == no_loop ? roots : children[parent]).push_back(id);
  }
  std::vector<std::pair<LoopId, std::size_t>> stack;
  for (const LoopId root : roots) {
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto& [id, next] = stack.back();
      if (next < children[id].size()) {
        const LoopId child = children[id][next++];
        stack.push_back({child, 0});
      } else {
        order.push_back(id);
        stack.pop_back();
      }
    }
  }
  return order;
}

/// Replaces iteration k of `loop` in `e` by k + `by`.
Expression shift_iteration(ExpressionPool& pool, Expression e, LoopId loop, std::int64_t by) {
  const Expression k = pool.iteration(loop);
  Rewriter shift(pool, [&](Expression at) -> std::optional<Expression> {
    if (at == k) return pool.offset(k, by);
    return std::nullopt;
  });
  return shift(e);
}

}  // namespace

LoopSolver::LoopSolver(const FlowFacts& facts, const ValueFlow& values, ExpressionPool& pool) {
  const std::size_t loops = facts.loops.all().size();
  closed_.resize(loops);
  done_.resize(loops, false);
  trips_.resize(loops);
  memo_.resize(loops + 1);
  for (const LoopId id : inner_first(facts.loops)) {
    solve_loop(facts, values, pool, id);
    done_[id] = true;
    forget();
    count(facts, values, pool, id);
    forget();
  }
  for (LoopId id = 0; id < loops; ++id) finish(facts, pool, id);
}

/// Drops resolved expressions: they may change now that another loop is solved.
void LoopSolver::forget() {
  for (const std::size_t place : remembered_) memo_[place] = Memo{};
  remembered_.clear();
}

bool LoopSolver::invariant(const FlowFacts& facts, const ExpressionPool& pool, Expression e,
                           LoopId id) const {
  if (e == 0) return false;
  if (!pool.contains(e, contains_phi | contains_iteration | contains_unknown)) return true;
  return !any_part(pool, e, [&](Expression part) {
    const ExpressionNode& n = pool.node(part);
    switch (n.kind) {
      case ExpressionKind::phi:
      case ExpressionKind::iteration:
        return facts.loops.nests(id, n.index);
      case ExpressionKind::unknown: {
        if (part == 0) return true;
        const BlockId block = facts.flow.block_of(n.index);
        return block != no_block && facts.loops.contains(id, block);
      }
      default:
        return false;
    }
  });
}

Expression LoopSolver::resolve(const FlowFacts& facts, ExpressionPool& pool, Expression e,
                               LoopId context) {
  if (e == 0 || !pool.contains(e, contains_phi | contains_iteration)) return e;
  const std::size_t place = context == no_loop ? memo_.size() - 1 : context;
  Memo& memo = memo_[place];
  if (memo.empty()) remembered_.push_back(place);
  Rewriter rewrite(
      pool, [&](Expression at) { return replace(facts, pool, at, context); }, &memo);
  return rewrite(e);
}

std::optional<Expression> LoopSolver::replace(const FlowFacts& facts, ExpressionPool& pool,
                                              Expression e, LoopId context) {
  constexpr int max_nesting = 40;
  const ExpressionNode n = pool.node(e);
  Expression form = 0;
  if (n.kind == ExpressionKind::phi && done_[n.index]) {
    form = closed_[n.index][static_cast<std::size_t>(n.value)].form;
  } else if (n.kind == ExpressionKind::iteration &&
             (context == no_loop || !facts.loops.nests(n.index, context)) && done_[n.index]) {
    const LoopTrip& trip = trips_[n.index];
    const BlockId header = facts.loops.all()[n.index].header;
    if (!trip.known) {
      return pool.unknown(UnknownReason::loop_carried, facts.flow.blocks()[header].first, no_slot);
    }
    form = pool.offset(trip.passes, -1);
  } else {
    return std::nullopt;
  }
  if (nesting_ > max_nesting) return Expression{0};
  ++nesting_;
  const Expression result = resolve(facts, pool, form, context);
  --nesting_;
  return result;
}

std::vector<Expression> LoopSolver::latch_values(const FlowFacts& facts, const ValueFlow& values,
                                                 ExpressionPool& pool, LoopId id) {
  const Loop& loop = facts.loops.all()[id];
  std::vector<Expression> next(values.slots().count(), 0);
  for (Slot slot = 0; slot < next.size(); ++slot) {
    if (!values.written(id).contains(slot)) continue;
    bool first = true;
    for (const BlockId latch : loop.latches) {
      const auto& after = values.state_after(latch).value;
      const Expression value = after.empty() ? 0 : resolve(facts, pool, after[slot], id);
      next[slot] = first || next[slot] == value ? value : 0;
      first = false;
    }
  }
  return next;
}

void LoopSolver::solve_loop(const FlowFacts& facts, const ValueFlow& values, ExpressionPool& pool,
                            LoopId id) {
  const Loop& loop = facts.loops.all()[id];
  if (loop.depth > max_followed_depth) return;
  const std::uint32_t slots = values.slots().count();
  closed_[id].resize(slots);
  const std::vector<Expression> next = latch_values(facts, values, pool, id);
  std::vector<Expression> init(slots, 0);
  for (Slot slot = 0; slot < slots; ++slot) {
    if (!values.written(id).contains(slot)) continue;
    init[slot] = resolve(facts, pool, values.entry_values(id)[slot], loop.parent);
  }
  close_constant(pool, id, init, next);
  for (Slot slot = 0; slot < slots; ++slot) {
    if (next[slot] == 0 || init[slot] == 0 || closed_[id][slot].solved) continue;
    close_simple(facts, pool, id, slot, init[slot], next[slot]);
  }
  for (Slot slot = 0; slot < slots; ++slot) {
    if (next[slot] != 0 && !closed_[id][slot].solved) {
      close_pair(facts, pool, id, slot, init, next);
    }
  }
  for (bool again = true; again;) {
    again = false;
    for (Slot slot = 0; slot < slots; ++slot) {
      if (next[slot] == 0 || init[slot] == 0 || closed_[id][slot].solved) continue;
      again = close_by_others(facts, pool, id, slot, init[slot], next[slot]) || again;
    }
  }
  const std::uint32_t place = facts.flow.blocks()[loop.header].first;
  for (Slot slot = 0; slot < slots; ++slot) {
    Closed& closed = closed_[id][slot];
    if (closed.solved) continue;
    const bool starts_unknown = init[slot] != 0 && pool.contains(init[slot], contains_unknown);
    closed.form = pool.unknown(UnknownReason::loop_carried, place, slot,
                               starts_unknown ? init[slot] : next[slot]);
  }
}

/// Finds the largest set of registers that keep their initial values in every pass: if all of a set
/// would still hold them one pass later, they keep them.
void LoopSolver::close_constant(ExpressionPool& pool, LoopId id,
                                const std::vector<Expression>& init,
                                const std::vector<Expression>& next) {
  constexpr int max_rounds = 12;
  std::vector<bool> keeps(init.size());
  for (std::size_t s = 0; s < init.size(); ++s) keeps[s] = init[s] != 0 && next[s] != 0;
  bool changed = true;
  for (int round = 0; changed && round < max_rounds; ++round) {
    changed = false;
    Rewriter fill(pool, [&](Expression at) -> std::optional<Expression> {
      const ExpressionNode n = pool.node(at);
      if (n.kind != ExpressionKind::phi || n.index != id) return std::nullopt;
      const auto slot = static_cast<std::size_t>(n.value);
      return keeps[slot] ? init[slot] : at;
    });
    for (std::size_t s = 0; s < init.size(); ++s) {
      if (!keeps[s]) continue;
      const Expression after = fill(next[s]);
      if (after == init[s] || pool.residue(after) == init[s]) continue;
      keeps[s] = false;
      changed = true;
    }
  }
  if (changed) return;
  for (std::size_t s = 0; s < init.size(); ++s) {
    if (keeps[s]) closed_[id][s] = {init[s], true};
  }
}

/// Values that equal an invariant, grow by an invariant step, double or halve.
void LoopSolver::close_simple(const FlowFacts& facts, ExpressionPool& pool, LoopId id, Slot slot,
                              Expression init, Expression next) {
  const Expression k = pool.iteration(id), phi = pool.phi(id, slot);
  Expression form = 0;
  const Expression step = pool.subtract(next, phi);
  const ExpressionNode n = pool.node(next);
  const auto factor = [&]() -> std::int64_t {
    const auto terms = pool.terms(next);
    const bool scaled = terms.size() == 1 && terms[0].node == phi && pool.constant_part(next) == 0;
    return scaled ? terms[0].coefficient : 0;
  }();
  const auto log2 = [](std::int64_t value) -> int {
    for (int i = 1; i < 32; ++i) {
      if (value == std::int64_t{1} << i) return i;
    }
    return 0;
  };
  if (next == phi) {
    form = init;
  } else if (invariant(facts, pool, next, id)) {
    form = next == init ? init : pool.select(pool.equal(k, pool.constant(0)), init, next);
  } else if (invariant(facts, pool, step, id)) {
    form = pool.residue(pool.add(init, pool.multiply(step, k)));
  } else if (log2(factor) > 0) {
    form = pool.multiply(init, pool.power_of_two(pool.scale(k, log2(factor))));
  } else if (n.kind == ExpressionKind::floor_divide || n.kind == ExpressionKind::truncate_divide) {
    const auto divisor = pool.constant_value(n.b);
    if (!divisor || log2(*divisor) == 0) return;
    Expression start = 0;
    if (n.a == phi) start = init;
    if (n.a == pool.zero_extend(phi)) start = pool.zero_extend(init);
    if (n.a == pool.sign_extend(phi)) start = pool.sign_extend(init);
    if (start == 0) return;
    form = pool.remake(n.kind, start, pool.power_of_two(pool.scale(k, log2(*divisor))), 0);
  }
  if (form != 0) closed_[id][slot] = {form, true};
}

/// A 64-bit counter or pointer in two registers: the carry of the low word goes to the high word.
void LoopSolver::close_pair(const FlowFacts& facts, ExpressionPool& pool, LoopId id, Slot high,
                            const std::vector<Expression>& init,
                            const std::vector<Expression>& next) {
  for (const Term& carry : pool.terms(next[high])) {
    const ExpressionNode n = pool.node(carry.node);
    if (n.kind != ExpressionKind::floor_divide || pool.constant_value(n.b) != word) continue;
    for (const Term& t : pool.terms(n.a)) {
      const ExpressionNode extension = pool.node(t.node);
      if (extension.kind != ExpressionKind::zero_extend) continue;
      const ExpressionNode low = pool.node(extension.a);
      if (low.kind != ExpressionKind::phi || low.index != id) continue;
      const auto slot = static_cast<Slot>(low.value);
      if (next[slot] == 0 || init[slot] == 0 || init[high] == 0) continue;
      const Expression before = pool.join(extension.a, pool.phi(id, high));
      const Expression step = pool.subtract(pool.join(next[slot], next[high]), before);
      if (!invariant(facts, pool, step, id)) continue;
      const Expression whole =
          pool.add(pool.join(init[slot], init[high]), pool.multiply(step, pool.iteration(id)));
      closed_[id][slot] = {pool.residue(whole), true};
      closed_[id][high] = {pool.residue(pool.high_word(whole)), true};
      return;
    }
  }
}

/// A value computed from others of the previous pass: in pass k, what they give for k - 1.
bool LoopSolver::close_by_others(const FlowFacts& facts, ExpressionPool& pool, LoopId id, Slot slot,
                                 Expression init, Expression next) {
  bool open = false;
  Rewriter fill(pool, [&](Expression at) -> std::optional<Expression> {
    const ExpressionNode n = pool.node(at);
    if (n.kind != ExpressionKind::phi || n.index != id) return std::nullopt;
    const Closed& other = closed_[id][static_cast<std::size_t>(n.value)];
    open = open || !other.solved;
    return other.solved ? other.form : at;
  });
  const Expression filled = fill(next);
  if (open || filled == 0) return false;
  const Expression k = pool.iteration(id);
  const bool settled = !any_part(pool, filled, [&](Expression part) {
    return part != k && pool.node(part).kind < ExpressionKind::product &&
           !invariant(facts, pool, part, id);
  });
  if (!settled) return false;
  Expression form = shift_iteration(pool, filled, id, -1);
  Rewriter at_start(pool, [&](Expression at) -> std::optional<Expression> {
    if (at == k) return pool.constant(0);
    return std::nullopt;
  });
  if (at_start(form) != init) {
    form = pool.select(pool.equal(k, pool.constant(0)), init, form);
  }
  if (form == 0) return false;
  closed_[id][slot] = {form, true};
  return true;
}

}  // namespace forewarp::analysis
