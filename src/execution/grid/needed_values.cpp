// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/needed_values.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "analysis/control_flow.h"
#include "execution/lowering/kernel_lowering.h"
#include "execution/state/warp_handlers.h"
#include "program/modifier.h"

namespace forewarp::execution {
namespace {

/// When a value is needed: never, always, or where a condition holds or does not. The first
/// conditions are the predicates as they are where a basic block begins.
using Condition = std::uint32_t;
constexpr Condition never = 0, always = 1, first_condition = 2;
constexpr Condition beyond_predicates = first_condition + 2 * predicate::count;

constexpr Condition inverse(Condition condition) {
  return condition ^ 1U;
}

/// Follows conditions through straight code: one that a register keeps meanwhile is the same when
/// it comes back to a predicate.
class Conditions {
 public:
  explicit Conditions(const Program& program)
      : program_(&program), predicates_(predicate::count), cells_(program.cell_count) {}

  void begin_block() {
    for (std::uint32_t at = 0; at < predicate::count; ++at)
      predicates_[at] = first_condition + 2 * at;
    std::fill(cells_.begin(), cells_.end(), never);
    next_ = beyond_predicates;
  }
  [[nodiscard]] Condition guard_of(const MicroOp& op) const {
    if (op.guard == predicate::always) return always;
    const Condition when = predicates_[op.guard];
    return op.guard_flip != 0 ? inverse(when) : when;
  }
  /// Of each predicate.
  [[nodiscard]] const std::vector<Condition>& now() const { return predicates_; }

  void pass(std::uint32_t i) {
    const MicroOp& op = program_->ops[i];
    const Condition kept = kept_by(op), restored = restored_by(op);
    for (const std::uint32_t at : program_->writes(i)) cells_[at] = never;
    for (const std::uint8_t at : program_->predicate_writes(i)) predicates_[at] = fresh();
    if (kept != never) cells_[op.destination] = kept;
    if (restored != never) predicates_[op.predicate_out[0]] = restored;
  }

 private:
  [[nodiscard]] static bool runs_always(const MicroOp& op) {
    return op.guard == predicate::always && op.guard_flip == 0;
  }

  Condition fresh() { return std::exchange(next_, next_ + 2); }

  /// P2R of one predicate into a register with nothing else.
  [[nodiscard]] Condition kept_by(const MicroOp& op) const {
    const bool keeps = op.operation == Operation::predicates_to_register && runs_always(op) &&
                       op.immediate == 0 && op.source[0] == Source{} && op.source[1].pool;
    if (!keeps) return never;
    const PoolCell& mask = program_->pool[op.source[1].cell];
    if (mask.bank != PoolCell::immediate || !std::has_single_bit(mask.value)) return never;
    const auto at = static_cast<std::size_t>(std::countr_zero(mask.value));
    return at < predicate::always ? predicates_[at] : never;
  }

  /// ISETP of a register and 0, for (in)equality.
  [[nodiscard]] Condition restored_by(const MicroOp& op) {
    const bool equal = op.comparison == Comparison::equal;
    const bool restores = op.operation == Operation::compare && runs_always(op) &&
                          (equal || op.comparison == Comparison::not_equal) &&
                          op.combine == BooleanOperator::and_ && !op.has(flag::extended) &&
                          op.predicate_in[0] == predicate::always && !op.predicate_invert[0] &&
                          !op.source[0].pool && !op.source[0].modified && op.source[1] == Source{};
    if (!restores) return never;
    Condition& kept = cells_[op.source[0].cell];
    if (kept == never) kept = fresh();
    return equal ? inverse(kept) : kept;
  }

  const Program* program_;
  std::vector<Condition> predicates_, cells_;  ///< cells: where the value is not 0; never: unknown
  Condition next_ = beyond_predicates;
};

/// Registers and predicates whose values are needed later.
struct Wanted {
  std::vector<Condition> cells, predicates;

  static void want(Condition& own, Condition also) {
    if (own != also && also != never) own = own == never ? also : always;
  }

  bool join(const Wanted& other) {
    bool changed = false;
    const auto take = [&](std::vector<Condition>& own, const std::vector<Condition>& theirs) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        const Condition before = own[i];
        want(own[i], theirs[i]);
        changed = changed || own[i] != before;
      }
    };
    take(cells, other.cells);
    take(predicates, other.predicates);
    return changed;
  }

  /// Goes back to the end of a block, where predicates stand for these conditions.
  void go_to_end(const std::vector<Condition>& predicates_then) {
    each([&](Condition& own) {
      if (own < first_condition) return;
      const Condition then = predicates_then[(own - first_condition) / 2];
      own = (own & 1U) != 0 ? inverse(then) : then;
    });
  }
  /// Goes back to the begin of a block: conditions that come about in it are not known yet.
  void go_to_begin() {
    each([](Condition& own) { own = own < beyond_predicates ? own : always; });
  }

 private:
  template <class F>
  void each(const F& f) {
    for (auto* conditions : {&cells, &predicates})
      std::for_each(conditions->begin(), conditions->end(), f);
  }
};

/// Kinds of memory, as bits.
using Spaces = std::uint8_t;
constexpr Spaces in_global = 1, in_shared = 2, in_local = 4;

Spaces spaces_of(MemorySpace space) {
  switch (space) {
    case MemorySpace::global:
      return in_global;
    case MemorySpace::shared:
      return in_shared;
    case MemorySpace::local:
      return in_local;
    case MemorySpace::constant:
      return 0;
    default:
      return in_global | in_shared | in_local;
  }
}

/// Of global memory that is not written while the kernel runs.
bool reads_constant_data(const Instruction& load) {
  return load.has(modifier::constant) || load.has(modifier::ci) || load.has(modifier::nc);
}

class Slicer {
 public:
  Slicer(const Program& program, NeededFor purpose)
      : program_(program),
        flow_(*program.kernel),
        places_(purpose == NeededFor::accesses),
        needs_(program.ops.size(), Need::count),
        ordered_(std::none_of(program.ops.begin(), program.ops.end(),
                              [](const MicroOp& op) { return leaves_order(op.operation); })) {
    follow_edges();
    if (places_ && runs_unreached()) ordered_ = false;
    // Before sm_90 these words are written by plain stores.
    const bool arrives = std::any_of(program.ops.begin(), program.ops.end(), [](const MicroOp& op) {
      return op.operation == Operation::arrive;
    });
    if (places_ && arrives && program.kernel->sm < 90) memory_ = in_shared;
    before_.assign(ordered_ ? flow_.blocks().size() : 1, none());
    name_conditions();
  }

  std::vector<Need> needs() {
    for (std::uint32_t i = 0; i < needs_.size(); ++i) {
      const bool followed = !places_ || flow_.block_of(i) != analysis::no_block;
      if (!followed || steers(program_.ops[i])) needs_[i] = Need::values;
    }
    for (bool changed = true; changed;) {
      changed = false;
      const Spaces memory = memory_;
      for (std::size_t block = before_.size(); block-- > 0;) {
        Wanted wanted = before_[block];
        if (ordered_) {
          wanted = none();
          for (const BlockId next : next_[block]) (void)wanted.join(before_[next]);
          wanted.go_to_end(at_end_[block]);
        }
        const std::uint32_t first = ordered_ ? flow_.blocks()[block].first : 0;
        auto end = static_cast<std::uint32_t>(needs_.size());
        if (ordered_) end = flow_.blocks()[block].end;
        for (std::uint32_t i = end; i-- > first;) step(i, wanted);
        wanted.go_to_begin();
        changed = before_[block].join(wanted) || changed;
      }
      changed = changed || memory != memory_;
    }
    return std::move(needs_);
  }

 private:
  [[nodiscard]] Wanted none() const {
    return {std::vector<Condition>(program_.cell_count, never),
            std::vector<Condition>(predicate::count, never)};
  }

  void name_conditions() {
    guards_.assign(needs_.size(), always);
    at_end_.resize(before_.size());
    Conditions conditions(program_);
    const auto name = [&](std::uint32_t first, std::uint32_t end) {
      conditions.begin_block();
      for (std::uint32_t i = first; i < end; ++i) {
        guards_[i] = conditions.guard_of(program_.ops[i]);
        conditions.pass(i);
      }
    };
    if (!ordered_) return name(0, static_cast<std::uint32_t>(needs_.size()));
    for (std::size_t block = 0; block < before_.size(); ++block) {
      name(flow_.blocks()[block].first, flow_.blocks()[block].end);
      at_end_[block] = conditions.now();
    }
  }

  [[nodiscard]] static bool leaves_order(Operation operation) {
    return operation == Operation::branch_indirect || operation == Operation::call_indirect;
  }

  /// Whether the control flow leaves out code that reads something: more than padding.
  [[nodiscard]] bool runs_unreached() const {
    for (std::uint32_t i = 0; i < program_.ops.size(); ++i) {
      const bool needs_nothing = program_.reads(i).empty() && program_.predicate_reads(i).empty() &&
                                 program_.ops[i].guard == predicate::always;
      if (!needs_nothing && flow_.block_of(i) == analysis::no_block) return true;
    }
    return false;
  }

  /// From a call into the subroutine too, and from its end to behind every call.
  void follow_edges() {
    const auto& blocks = flow_.blocks();
    next_.resize(blocks.size());
    std::vector<BlockId> behind;
    for (BlockId block = 0; block < blocks.size(); ++block) {
      for (const ControlEdge& edge : flow_.successors(block)) next_[block].push_back(edge.to);
      if (blocks[block].calls_unknown) ordered_ = false;
      if (blocks[block].callee == analysis::no_block) continue;
      behind.insert(behind.end(), next_[block].begin(), next_[block].end());
      next_[block].push_back(blocks[block].callee);
    }
    for (BlockId block = 0; block < blocks.size(); ++block) {
      if (blocks[block].returns)
        next_[block].insert(next_[block].end(), behind.begin(), behind.end());
    }
  }

  [[nodiscard]] static bool steers(const MicroOp& op) {
    if (op.kind == OperationKind::flow || op.has(flag::pops) || op.has(flag::gives_way))
      return true;
    switch (op.operation) {
      case Operation::convergence_move:
      case Operation::barrier_result:
      case Operation::arrive:
      case Operation::check_phase:
      case Operation::grant:
      case Operation::outside_call:
      case Operation::unsupported:
        return true;
      default:
        return false;
    }
  }

  /// Whether its result in one lane follows from registers of others.
  [[nodiscard]] static bool mixes_lanes(const MicroOp& op) {
    switch (op.operation) {
      case Operation::vote:
      case Operation::match:
      case Operation::reduce:
      case Operation::shuffle:
      case Operation::to_uniform:
      case Operation::matrix_product:
      case Operation::matrix_transpose:
      case Operation::group_product:
        return true;
      default:
        return false;
    }
  }

  /// Whether it only writes registers: not needed where these are not.
  [[nodiscard]] static bool only_computes(const MicroOp& op) {
    return op.kind == OperationKind::lane || op.indexed_constant ||
           op.operation == Operation::special_register || mixes_lanes(op);
  }

  /// The memory that an operation writes from registers, or from other memory.
  [[nodiscard]] static Spaces written(const MicroOp& op) {
    switch (op.operation) {
      case Operation::store:
      case Operation::atomic:
        return spaces_of(op.space);
      case Operation::surface:
        return in_global;
      case Operation::copy_to_shared:
      case Operation::store_matrix:
        return in_shared;
      case Operation::bulk_copy:
      case Operation::tensor_copy:
        return in_global | in_shared;
      default:
        return 0;
    }
  }

  /// The memory whose content becomes part of what it writes.
  [[nodiscard]] Spaces read(std::uint32_t i) const {
    const MicroOp& op = program_.ops[i];
    switch (op.operation) {
      case Operation::load:
        return reads_constant_data(program_.kernel->instructions[i]) ? Spaces{0}
                                                                     : spaces_of(op.space);
      case Operation::atomic:
        return spaces_of(op.space);
      case Operation::load_matrix:
      case Operation::group_product:
        return in_shared;
      case Operation::copy_to_shared:
      case Operation::texture:
      case Operation::surface:
        return in_global;
      case Operation::bulk_copy:
      case Operation::tensor_copy:
        return in_global | in_shared;
      default:
        return 0;
    }
  }

  [[nodiscard]] bool is_wanted(std::uint32_t i, const Wanted& wanted) const {
    if ((written(program_.ops[i]) & memory_) != 0) return true;
    const auto cells = program_.writes(i);
    const auto predicates = program_.predicate_writes(i);
    return std::any_of(cells.begin(), cells.end(),
                       [&](auto at) { return wanted.cells[at] != never; }) ||
           std::any_of(predicates.begin(), predicates.end(),
                       [&](auto at) { return wanted.predicates[at] != never; });
  }

  /// Even if nobody wants its result.
  [[nodiscard]] Need least_need(const MicroOp& op) const {
    if (steers(op)) return Need::values;
    if (!places_ || only_computes(op)) return Need::count;
    return place_handler(op) != nullptr ? Need::places : Need::values;
  }

  /// The registers that lead to where an operation accesses memory.
  void want_places(std::uint32_t i, Wanted& wanted) const {
    const MicroOp& op = program_.ops[i];
    const Condition when = guards_[i];
    const auto want = [&](const Source& source, std::uint32_t word) {
      if (!source.pool) Wanted::want(wanted.cells[source.cell + word], when);
    };
    want(op.source[0], 0);
    if (op.has(flag::wide_address)) want(op.source[0], 1);
    want({op.uniform_cell}, 0);
    if (op.has(flag::wide_uniform)) want({op.uniform_cell}, 1);
    if (op.operation != Operation::copy_to_shared) return;
    want(op.source[1], 0);
    want(op.source[2], 0);
  }

  void step(std::uint32_t i, Wanted& wanted) {
    const MicroOp& op = program_.ops[i];
    const bool result = is_wanted(i, wanted);
    needs_[i] = std::max(needs_[i], result ? Need::values : least_need(op));
    const bool guarded = op.guard != predicate::always;
    if (needs_[i] == Need::values) settle(i, wanted);
    if (guarded && (places_ || needs_[i] != Need::count))
      Wanted::want(wanted.predicates[op.guard], always);
    if (needs_[i] == Need::count) return;
    const Condition when = crosses_lanes(op) ? always : guards_[i];
    if (needs_[i] == Need::places) {
      want_places(i, wanted);
    } else {
      for (const std::uint32_t at : program_.reads(i)) {
        if ((at & DataFlow::pool_bit) == 0) Wanted::want(wanted.cells[at], when);
      }
    }
    for (const std::uint8_t at : program_.predicate_reads(i))
      Wanted::want(wanted.predicates[at], when);
    if (result) memory_ = static_cast<Spaces>(memory_ | (read(i) & followed()));
  }

  /// Whether it reads registers of lanes in which it is not executed.
  [[nodiscard]] static bool crosses_lanes(const MicroOp& op) {
    return mixes_lanes(op) || op.operation == Operation::load_matrix ||
           op.operation == Operation::store_matrix;
  }

  /// Whether it may leave some of what it could write as it was: by a mask, by channels, or where
  /// there is no memory.
  [[nodiscard]] static bool writes_parts(const MicroOp& op) {
    return op.operation == Operation::register_to_predicates || op.operation == Operation::atomic ||
           op.operation == Operation::texture || op.operation == Operation::surface;
  }

  /// What it writes is not needed before it, if it writes wherever that is needed.
  void settle(std::uint32_t i, Wanted& wanted) const {
    if (!ordered_ || writes_parts(program_.ops[i])) return;
    if (program_.ops[i].guard == predicate::always && program_.ops[i].guard_flip != 0) return;
    const Condition when = guards_[i];
    const auto settled = [&](Condition& own) {
      if (when == always || own == when) own = never;
    };
    for (const std::uint32_t at : program_.writes(i)) settled(wanted.cells[at]);
    for (const std::uint8_t at : program_.predicate_writes(i)) settled(wanted.predicates[at]);
  }

  [[nodiscard]] Spaces followed() const {
    return places_ ? in_global | in_shared | in_local : in_shared | in_local;
  }

  const Program& program_;
  ControlFlow flow_;
  bool places_;
  std::vector<Need> needs_;
  bool ordered_;
  std::vector<std::vector<BlockId>> next_;  ///< by block, where control goes from it
  std::vector<Wanted> before_;
  std::vector<Condition> guards_;               ///< by instruction
  std::vector<std::vector<Condition>> at_end_;  ///< by block: what its predicates are by then
  Spaces memory_ = 0;                           ///< whose content matters
};

}  // namespace

std::vector<Need> needed_values(const Program& program, NeededFor purpose) {
  return Slicer(program, purpose).needs();
}

void leave_out_values(Program& program) {
  if (program.ordered || program.moving || may_call_driver(program)) return;
  const std::vector<Need> needs = needed_values(program, NeededFor::accesses);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    MicroOp& op = program.ops[i];
    if (needs[i] == Need::count) op.handler = nullptr;
    if (needs[i] == Need::places) op.handler = place_handler(op);
  }
}

}  // namespace forewarp::execution
