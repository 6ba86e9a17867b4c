// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/index_decisions.h"

#include <algorithm>
#include <array>

#include "analysis/control_flow.h"
#include "program/operand.h"

namespace forewarp::execution {
namespace {

/// Whether an operation's result grows or falls evenly with one source if the others do not depend
/// on the block, or compares such sources.
bool keeps_linear(const MicroOp& op) {
  switch (op.operation) {
    case Operation::move:
    case Operation::add:
    case Operation::add_carry:
    case Operation::add_pairs:
    case Operation::multiply_add:
    case Operation::multiply_add_wide:
    case Operation::multiply_add_carry:
    case Operation::half_multiply_add:
    case Operation::shift_add:
    case Operation::shift_add_high:
    case Operation::shift_left:
    case Operation::integer_to_integer:
    case Operation::to_uniform:
    case Operation::compare:
    case Operation::predicate_logic:
      return true;
    case Operation::select:
    case Operation::shift_right:
    case Operation::funnel_shift:
      return true;
    default:
      return op.kind == OperationKind::flow;
  }
}

bool is_block_index(const MicroOp& op) {
  const auto which = static_cast<SpecialRegister>(op.immediate);
  return op.operation == Operation::special_register &&
         (which == SpecialRegister::ctaid_x || which == SpecialRegister::ctaid_y ||
          which == SpecialRegister::ctaid_z || which == SpecialRegister::cga_cta_id);
}

bool is_product(Operation operation) {
  constexpr std::array products = {Operation::multiply_add, Operation::multiply_add_wide,
                                   Operation::multiply_add_carry, Operation::half_multiply_add,
                                   Operation::shift_left};
  return std::find(products.begin(), products.end(), operation) != products.end();
}

bool reads_memory(const MicroOp& op) {
  switch (op.operation) {
    case Operation::load:
    case Operation::load_matrix:
    case Operation::atomic:
    case Operation::copy_to_shared:
    case Operation::texture:
    case Operation::surface:
    case Operation::outside_call:
    case Operation::unsupported:
      return true;
    default:
      return false;
  }
}

/// Which cells and predicates depend on the block's index at one place.
struct Dependent {
  std::vector<bool> cells, predicates;

  bool join(const Dependent& other) {
    bool changed = false;
    const auto take = [&](std::vector<bool>& own, const std::vector<bool>& theirs) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        changed = changed || (theirs[i] && !own[i]);
        own[i] = own[i] || theirs[i];
      }
    };
    take(cells, other.cells);
    take(predicates, other.predicates);
    return changed;
  }
  [[nodiscard]] bool holds(std::uint32_t at) const {
    return (at & DataFlow::pool_bit) == 0 && at >= cell::general && cells[at];
  }
  [[nodiscard]] bool holds(const Source& source) const {
    return !source.pool && holds(source.cell);
  }
};

/// Follows the block's index from block to block of the code, and whether only sums of it decide.
class Follower {
 public:
  explicit Follower(const Program& slice) : slice_(slice), flow_(*slice.kernel) {
    before_.assign(flow_.blocks().size(), {std::vector<bool>(slice.cell_count, false),
                                           std::vector<bool>(predicate::count, false)});
  }

  [[nodiscard]] bool linear() {
    for (bool changed = true; changed && linear_;) {
      changed = false;
      for (BlockId block = 0; block < before_.size(); ++block) {
        Dependent now = before_[block];
        for (std::uint32_t i = flow_.blocks()[block].first; i < flow_.blocks()[block].end; ++i)
          step(i, now);
        for (const ControlEdge& edge : flow_.successors(block))
          changed = before_[edge.to].join(now) || changed;
      }
    }
    return linear_;
  }

 private:
  [[nodiscard]] bool reads_index(std::uint32_t i, const Dependent& now) const {
    const auto cells = slice_.reads(i);
    const auto predicates = slice_.predicate_reads(i);
    return std::any_of(cells.begin(), cells.end(), [&](auto at) { return now.holds(at); }) ||
           std::any_of(predicates.begin(), predicates.end(),
                       [&](auto at) { return now.predicates[at]; });
  }

  void step(std::uint32_t i, Dependent& now) {
    const MicroOp& op = slice_.ops[i];
    if (op.operation == Operation::none) return;
    const bool reads = reads_index(i, now);
    const bool squares =
        is_product(op.operation) && now.holds(op.source[0]) && now.holds(op.source[1]);
    if (reads_memory(op) || (reads && !keeps_linear(op)) || squares) linear_ = false;
    const bool guarded = op.guard != predicate::always;
    const bool depends = reads || is_block_index(op) || (guarded && now.predicates[op.guard]);
    const auto set = [&](std::vector<bool>& of, std::uint32_t at) {
      of[at] = depends || (guarded && of[at]);
    };
    for (const std::uint32_t at : slice_.writes(i)) set(now.cells, at);
    for (const std::uint8_t at : slice_.predicate_writes(i)) set(now.predicates, at);
  }

  const Program& slice_;
  ControlFlow flow_;
  std::vector<Dependent> before_;
  bool linear_ = true;
};

/// The order of blocks is not known beyond a call.
bool is_call(const MicroOp& op) {
  return op.operation == Operation::branch_indirect || op.operation == Operation::call ||
         op.operation == Operation::call_indirect || op.operation == Operation::return_ ||
         op.operation == Operation::return_indirect;
}

}  // namespace

bool follows_linear_index(const Program& slice) {
  if (std::any_of(slice.ops.begin(), slice.ops.end(), is_call)) return false;
  return Follower(slice).linear();
}

}  // namespace forewarp::execution
