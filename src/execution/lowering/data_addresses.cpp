// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/lowering/data_addresses.h"

#include <algorithm>
#include <vector>

#include "analysis/control_flow.h"

namespace forewarp::execution {
namespace {

bool in_global(const MicroOp& op) {
  return op.space == MemorySpace::global || op.space == MemorySpace::generic;
}

bool in_shared(const MicroOp& op) {
  return op.space == MemorySpace::shared || op.space == MemorySpace::generic;
}

/// Cells and predicates that hold what was loaded.
struct Loaded {
  std::vector<bool> cells, predicates;

  /// Whether the other had any that this has not.
  bool join(const Loaded& other) {
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

bool is_access(Operation operation) {
  return operation == Operation::load || operation == Operation::store ||
         operation == Operation::atomic;
}

/// A cell written with something else where this guard holds, since the basic block began.
struct Clean {
  std::uint32_t cell = 0;
  std::uint8_t guard = 0;
  LaneMask flip = 0;
};

class Follower {
 public:
  explicit Follower(const Program& program) : program_(program), flow_(*program.kernel) {
    before_.assign(flow_.blocks().size(), {std::vector<bool>(program.cell_count, false),
                                           std::vector<bool>(predicate::count, false)});
  }

  bool find() {
    // Only more is found to be loaded, so it ends once no block changes another.
    for (bool changed = true; changed && !found_;) {
      changed = false;
      const bool shared = shared_;
      for (const BlockId block : flow_.order()) {
        Loaded loaded = before_[block];
        clean_.clear();
        const BasicBlock& code = flow_.blocks()[block];
        for (std::uint32_t i = code.first; i < code.end; ++i) step(i, loaded);
        for (const ControlEdge& edge : flow_.successors(block))
          changed = before_[edge.to].join(loaded) || changed;
      }
      changed = changed || shared != shared_;
    }
    return found_;
  }

 private:
  /// Where the operation is executed.
  [[nodiscard]] bool holds_loaded(const MicroOp& op, std::uint32_t cell,
                                  const Loaded& loaded) const {
    if (!loaded.cells[cell]) return false;
    const bool reads_own = op.kind == OperationKind::lane || is_access(op.operation);
    return !reads_own || std::ranges::none_of(clean_, [&](const Clean& its) {
      return its.cell == cell && its.guard == op.guard && its.flip == op.guard_flip;
    });
  }

  [[nodiscard]] bool reads_loaded(std::uint32_t index, const Loaded& loaded) const {
    return std::ranges::any_of(program_.reads(index),
                               [&](std::uint32_t at) {
                                 return (at & DataFlow::pool_bit) == 0 &&
                                        holds_loaded(program_.ops[index], at, loaded);
                               }) ||
           std::ranges::any_of(program_.predicate_reads(index),
                               [&](std::uint8_t at) { return loaded.predicates[at]; });
  }

  [[nodiscard]] bool address_is_loaded(const MicroOp& op, const Loaded& loaded) const {
    const Source& base = op.source[0];
    if (base.pool) return false;
    const auto from = [&](std::uint32_t cell, bool wide) {
      return holds_loaded(op, cell, loaded) || (wide && holds_loaded(op, cell + 1, loaded));
    };
    return from(base.cell, op.has(flag::wide_address)) ||
           from(op.uniform_cell, op.has(flag::wide_uniform));
  }

  void step(std::uint32_t index, Loaded& loaded) {
    const MicroOp& op = program_.ops[index];
    const bool load = op.operation == Operation::load, atomic = op.operation == Operation::atomic;
    const bool copy = op.operation == Operation::copy_to_shared;
    const bool accesses = is_access(op.operation);
    if ((copy || (accesses && in_global(op))) && address_is_loaded(op, loaded)) found_ = true;
    const bool reads = reads_loaded(index, loaded);
    const bool copies =
        copy || op.operation == Operation::bulk_copy || op.operation == Operation::tensor_copy;
    if (copies || (reads && op.operation == Operation::store && in_shared(op))) shared_ = true;
    bool now = reads;
    if (load || atomic) now = in_global(op) || (in_shared(op) && shared_);
    const bool guarded = op.guard != predicate::always;
    if (guarded && loaded.predicates[op.guard]) now = true;
    for (const std::uint32_t at : program_.writes(index)) {
      if (!guarded || now) loaded.cells[at] = now;
      std::erase_if(clean_, [&](const Clean& its) { return its.cell == at; });
      if (guarded && !now) clean_.push_back({at, op.guard, op.guard_flip});
    }
    for (const std::uint8_t at : program_.predicate_writes(index)) {
      if (!guarded || now) loaded.predicates[at] = now;
      std::erase_if(clean_, [&](const Clean& its) { return its.guard == at; });
    }
  }

  const Program& program_;
  ControlFlow flow_;
  std::vector<Loaded> before_;
  std::vector<Clean> clean_;
  bool shared_ = false;  ///< whether shared memory holds such values
  bool found_ = false;
};

}  // namespace

bool addresses_follow_data(const Program& program) {
  return Follower(program).find();
}

}  // namespace forewarp::execution
