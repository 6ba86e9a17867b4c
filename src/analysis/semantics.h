// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "analysis/expression.h"
#include "analysis/machine_state.h"
#include "analysis/state_slots.h"
#include "program/kernel.h"

namespace forewarp::analysis {

/// Operands of an integer comparison, kept for the .EX comparison that continues it.
struct Compared {
  Expression a = 0, b = 0;
  bool greater = false;  ///< compared by GT or GE
};

/// Context that is the same for all instructions of a kernel.
struct SemanticContext {
  const Kernel& kernel;
  const StateSlots& slots;
  ExpressionPool& pool;
  std::unordered_map<std::uint32_t, Compared> compared;  ///< by instruction
};

/// Executes one instruction symbolically. Destinations that cannot be followed become unknown, with
/// the reason. Where a guard does not hold, the old value is kept.
class Semantics {
 public:
  Semantics(SemanticContext& context, MachineState& state, std::uint32_t index);

  void execute();

  /// The guard's value, 0 or 1.
  [[nodiscard]] Expression guard() const { return guard_; }
  /// Value of an operand without sign, inversion or part; the address of a memory operand.
  [[nodiscard]] Expression bare_value(Operand operand);
  /// Whether the instruction takes effect (0 or 1), by its guard and a branch's condition operands.
  [[nodiscard]] Expression takes_effect();
  /// Value of an operand before the instruction. Registers and constants are residues (joined to
  /// pairs if `wide`), addresses of memory operands exact integers.
  [[nodiscard]] Expression operand_value(std::size_t position, bool wide = false);
  [[nodiscard]] Expression address(const Operand& operand);

 private:
  using Handler = void (Semantics::*)();
  static Handler handler_of(Opcode opcode);

  // One per opcode family.
  void move();
  void add();
  void add3();
  void multiply_add();
  void multiply_add_old();
  void multiply();
  void half_multiply();
  void load_effective();
  void scaled_add();
  void shift_left();
  void shift_right();
  void funnel_shift();
  void bit_field();
  void logic();
  void logic3();
  void select();
  [[nodiscard]] bool by_halves() const;  ///< VIMNMX.S16x2, VIADD.16x2
  void minimum_maximum();
  void absolute();
  void compare();
  void compare_select();
  void predicate_logic();
  void predicate_logic3();
  void special_register();
  void to_uniform();
  void load_constant();
  void permute();
  void packed_halves();

  // Operands.
  [[nodiscard]] std::size_t operand_total() const { return operands_.size(); }
  [[nodiscard]] const Operand& operand(std::size_t i) const { return operands_[i]; }
  [[nodiscard]] bool is_predicate(std::size_t i) const;
  [[nodiscard]] std::size_t leading_predicates(std::size_t from) const;
  [[nodiscard]] Expression read(RegisterFile file, std::uint32_t number);
  [[nodiscard]] Expression register_value(const Operand& operand, std::uint32_t part);
  [[nodiscard]] Expression bank_word(std::uint32_t bank, std::int64_t offset);
  [[nodiscard]] Expression constant_operand(const Operand& operand, std::uint32_t word);
  [[nodiscard]] Expression plain_value(const Operand& operand, bool wide);
  [[nodiscard]] Expression source(std::size_t i) { return operand_value(i); }
  [[nodiscard]] Expression wide_source(std::size_t i) { return operand_value(i, true); }
  /// Exact addend of a carry chain: zero-extended, negated by subtraction; counts negations.
  [[nodiscard]] Expression carry_addend(std::size_t i, int& negated);
  [[nodiscard]] Expression scaled_addend(std::size_t i, std::int64_t factor, int& negated);
  [[nodiscard]] Expression predicate_value(std::size_t i);
  [[nodiscard]] Expression condition_code_carry();
  [[nodiscard]] Expression extended(Expression value, bool is_unsigned);
  [[nodiscard]] Expression lut3(std::uint32_t lut, Expression a, Expression b, Expression c,
                                bool logical);
  [[nodiscard]] Expression compare_values(Expression a, Expression b);
  [[nodiscard]] Expression combine(Expression a, Expression b);
  [[nodiscard]] bool has(Modifier m) const { return instruction_.has(m); }

  // Destinations.
  void set(std::size_t i, Expression value);
  void set_pair(std::size_t i, Expression value);
  void set_truth(std::size_t i, Expression value);
  void set_condition_code(Expression unreduced);
  void write(RegisterFile file, std::uint32_t number, Expression value);
  void forget_destinations();
  void give_up() { failed_ = true; }

  SemanticContext& context_;
  ExpressionPool& pool_;
  const Kernel& kernel_;
  const Instruction& instruction_;
  std::span<const Operand> operands_;
  MachineState& state_;
  std::uint32_t index_;
  Expression guard_ = 0;
  bool failed_ = false;
};

}  // namespace forewarp::analysis
