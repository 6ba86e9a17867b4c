// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/control_slice.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/control_flow.h"

namespace forewarp::execution {
namespace {

/// Registers and predicates whose values decide control later.
struct Wanted {
  std::vector<bool> cells, predicates;

  bool join(const Wanted& other) {
    bool changed = false;
    const auto take = [&](std::vector<bool>& own, const std::vector<bool>& theirs) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i] || !theirs[i]) continue;
        own[i] = changed = true;
      }
    };
    take(cells, other.cells);
    take(predicates, other.predicates);
    return changed;
  }
};

/// Marks the instructions on which control depends, from where it is decided back to where the
/// values come from. Calls are not followed: where there are any, the order does not count.
class Slicer {
 public:
  explicit Slicer(const Program& program)
      : program_(program),
        flow_(*program.kernel),
        kept_(program.ops.size(), false),
        ordered_(std::none_of(program.ops.begin(), program.ops.end(),
                              [](const MicroOp& op) { return leaves_order(op.operation); })) {
    const Wanted none{std::vector<bool>(program.cell_count, false),
                      std::vector<bool>(predicate::count, false)};
    before_.assign(ordered_ ? flow_.blocks().size() : 1, none);
  }

  std::vector<bool> kept() {
    for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = steers(program_.ops[i]);
    for (bool changed = true; changed;) {
      changed = false;
      const bool memory = memory_;
      for (std::size_t block = before_.size(); block-- > 0;) {
        Wanted wanted = before_[block];
        if (ordered_) {
          wanted = Wanted{std::vector<bool>(program_.cell_count, false),
                          std::vector<bool>(predicate::count, false)};
          for (const ControlEdge& edge : flow_.successors(static_cast<BlockId>(block)))
            (void)wanted.join(before_[edge.to]);
        }
        const std::uint32_t first = ordered_ ? flow_.blocks()[block].first : 0;
        auto end = static_cast<std::uint32_t>(kept_.size());
        if (ordered_) end = flow_.blocks()[block].end;
        for (std::uint32_t i = end; i-- > first;) step(i, wanted);
        changed = before_[block].join(wanted) || changed;
      }
      changed = changed || memory != memory_;
    }
    return std::move(kept_);
  }

 private:
  [[nodiscard]] static bool leaves_order(Operation operation) {
    return operation == Operation::branch_indirect || operation == Operation::call ||
           operation == Operation::call_indirect || operation == Operation::return_ ||
           operation == Operation::return_indirect;
  }

  [[nodiscard]] static bool steers(const MicroOp& op) {
    if (op.kind == OperationKind::flow || op.has(flag::pops) || op.has(flag::gives_way))
      return true;
    switch (op.operation) {
      case Operation::convergence_move:
      case Operation::barrier_result:
      case Operation::arrive:
      case Operation::check_phase:
      case Operation::outside_call:
      case Operation::unsupported:
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] static bool in_block(MemorySpace space) {
    return space != MemorySpace::global && space != MemorySpace::constant;
  }

  [[nodiscard]] bool is_wanted(std::uint32_t i, const Wanted& wanted) const {
    const MicroOp& op = program_.ops[i];
    const bool copies = op.operation == Operation::copy_to_shared;
    const bool writes_memory =
        op.operation == Operation::store || copies || op.operation == Operation::atomic;
    if (writes_memory && memory_ && (copies || in_block(op.space))) return true;
    const auto cells = program_.writes(i);
    const auto predicates = program_.predicate_writes(i);
    return std::any_of(cells.begin(), cells.end(), [&](auto at) { return wanted.cells[at]; }) ||
           std::any_of(predicates.begin(), predicates.end(),
                       [&](auto at) { return wanted.predicates[at]; });
  }

  void step(std::uint32_t i, Wanted& wanted) {
    const MicroOp& op = program_.ops[i];
    if (!steers(op) && !is_wanted(i, wanted)) return;
    kept_[i] = true;
    if (ordered_ && op.guard == predicate::always) {
      for (const std::uint32_t at : program_.writes(i)) wanted.cells[at] = false;
      for (const std::uint8_t at : program_.predicate_writes(i)) wanted.predicates[at] = false;
    }
    for (const std::uint32_t at : program_.reads(i)) {
      if ((at & DataFlow::pool_bit) == 0) wanted.cells[at] = true;
    }
    for (const std::uint8_t at : program_.predicate_reads(i)) wanted.predicates[at] = true;
    if (op.guard != predicate::always) wanted.predicates[op.guard] = true;
    const bool loads = op.operation == Operation::load || op.operation == Operation::load_matrix ||
                       op.operation == Operation::atomic;
    if (loads && in_block(op.space)) memory_ = true;
  }

  const Program& program_;
  ControlFlow flow_;
  std::vector<bool> kept_;
  bool ordered_;
  std::vector<Wanted> before_;
  bool memory_ = false;  ///< what shared and local memory hold matters
};

}  // namespace

Program control_slice(const Program& program) {
  Program slice = program;
  const std::vector<bool> kept = Slicer(program).kept();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) continue;
    MicroOp skipped;
    skipped.guard_flip = all_lanes;  // guarded by a predicate that never holds
    slice.ops[i] = skipped;
  }
  return slice;
}

}  // namespace forewarp::execution
