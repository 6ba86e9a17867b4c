// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/address.h"
#include "analysis/compiled_expression.h"
#include "analysis/control_flow.h"
#include "analysis/dominators.h"
#include "analysis/loop_trip.h"
#include "analysis/loops.h"
#include "analysis/mix.h"
#include "analysis/value_flow.h"

namespace forewarp::analysis {

/// The condition for an instruction to take effect: its guard, or that of a branch or EXIT.
struct Condition {
  Expression effect = 0;       ///< 0 or 1; resolved
  CompiledExpression program;  ///< the same, compiled for evaluation
  std::string reason;          ///< what is unknown before the run; empty if nothing is
};

/// All that is known about a kernel without a GPU or a launch. Refers to the kernel, which must
/// outlive it. Cheap to move; queries are look-ups.
class KernelAnalysis {
 public:
  KernelAnalysis() = default;
  explicit KernelAnalysis(const Kernel& kernel);

  [[nodiscard]] const Kernel& kernel() const { return *kernel_; }
  [[nodiscard]] const ControlFlow& flow() const { return flow_; }
  [[nodiscard]] const Dominators& dominators() const { return dominators_; }
  [[nodiscard]] const Dominators& post_dominators() const { return post_dominators_; }
  [[nodiscard]] const Loops& loops() const { return loops_; }
  [[nodiscard]] const std::vector<Mix>& mixes() const { return mixes_; }  ///< by block
  [[nodiscard]] const ValueFlow& values() const { return values_; }

  [[nodiscard]] const LoopTrip& trip(LoopId loop) const { return solver_.trips()[loop]; }
  /// LoopTrip::trips, compiled; evaluates to no value if unknown.
  [[nodiscard]] const CompiledExpression& trip_program(LoopId loop) const {
    return trip_programs_[loop];
  }
  /// The trip count as text, such as "a"; empty if unknown.
  [[nodiscard]] std::string trip_text(LoopId loop) const;

  /// The trip count as a reader of the source counts: the failing test at the top of a `while` is
  /// no iteration. Empty if unknown.
  [[nodiscard]] std::string pass_text(LoopId loop) const;

  /// Null for an instruction that always takes effect. Branches with a condition operand, guarded
  /// EXITs and predicated instructions have one, which may depend on the iterations of loops around
  /// them.
  [[nodiscard]] const Condition* condition(std::uint32_t instruction) const;
  /// Null for instructions without a memory operand.
  [[nodiscard]] const AddressForm* address(std::uint32_t instruction) const;
  /// One per memory operand, in code order.
  [[nodiscard]] const std::vector<AddressForm>& addresses() const { return addresses_; }

  /// Resolved value of register operand `operand` (index into Kernel::operands).
  [[nodiscard]] Expression operand(std::uint32_t operand) const { return operands_[operand]; }
  /// Instructions, ascending, whose result `instruction` may read from that register.
  [[nodiscard]] std::vector<std::uint32_t> definitions(std::uint32_t instruction, RegisterFile file,
                                                       std::uint32_t number) const;

  [[nodiscard]] const ExpressionPool& pool() const { return pool_; }
  [[nodiscard]] std::string text(Expression e) const;
  [[nodiscard]] CompiledExpression compile(Expression e) const { return {pool_, e}; }
  [[nodiscard]] FlowFacts facts() const { return {*kernel_, flow_, dominators_, loops_}; }

 private:
  void resolve_operands();
  void resolve_conditions();
  void collect_addresses();
  [[nodiscard]] LoopId loop_of(std::uint32_t instruction) const;

  const Kernel* kernel_ = nullptr;
  ControlFlow flow_;
  Dominators dominators_, post_dominators_;
  Loops loops_;
  ExpressionPool pool_;
  ValueFlow values_;
  LoopSolver solver_;
  std::vector<Mix> mixes_;
  std::vector<CompiledExpression> trip_programs_;
  std::vector<Expression> operands_;
  std::vector<Condition> conditions_;
  std::vector<std::uint32_t> condition_of_;  ///< by instruction: number + 1
  std::vector<AddressForm> addresses_;
  std::vector<std::uint32_t> address_of_;  ///< by instruction: number + 1
};

/// Analyses one kernel. The cost grows about linearly with its length, whatever it contains.
[[nodiscard]] KernelAnalysis analyze(const Kernel& kernel);

}  // namespace forewarp::analysis
