// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>

#include "execution/lowering/program.h"
#include "program/modifier.h"

namespace forewarp::execution {

/// How a source operand's sign and absolute-value modifiers are interpreted.
enum class Reading : std::uint8_t { integer, carry_chain, floating, doubles, half };

/// Translates one instruction: offers its operands and modifiers to the lowering functions and
/// collects the micro-op.
class Lowering {
 public:
  Lowering(const Kernel& kernel, Program& program, std::map<std::uint64_t, std::uint32_t>& pool)
      : kernel_(kernel), program_(program), pool_(pool) {}

  void begin(std::uint32_t index);
  [[nodiscard]] const Instruction& instruction() const { return *instruction_; }
  [[nodiscard]] std::string_view mnemonic() const {
    return opcode_info(instruction_->opcode).mnemonic;
  }
  [[nodiscard]] bool has(Modifier m) const { return instruction_->has(m); }
  /// Whether the opcode has this word, which may be no modifier of its own.
  [[nodiscard]] bool says(std::string_view word) const;
  [[nodiscard]] std::uint32_t sm() const { return kernel_.sm; }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  [[nodiscard]] Program& program() { return program_; }

  [[nodiscard]] std::span<const Operand> operands() const { return operands_; }
  [[nodiscard]] std::size_t left() const { return operands_.size() - next_; }
  /// The operand `ahead` places after the cursor; null beyond the last.
  [[nodiscard]] const Operand* peek(std::size_t ahead = 0) const;
  const Operand* take();
  [[nodiscard]] bool at_predicate(std::size_t ahead = 0) const;

  // These take the operand at the cursor; false if it is of another kind.
  bool destination();
  bool source(unsigned index, Reading reading);
  /// Makes a pair of a source that is none: both words of a constant, or an extended immediate.
  void widen(unsigned index, const Operand& operand);
  bool predicate_out(unsigned index);
  bool predicate_in(unsigned index);
  bool target();  ///< into MicroOp::second, as an instruction index

  /// Sets a source that no operand gives.
  void set_immediate(unsigned index, std::uint32_t value);
  void set_uniform_destination(std::uint16_t number);
  [[nodiscard]] std::uint32_t register_cell(const Operand& operand) const;
  [[nodiscard]] std::uint32_t general_cell(std::uint16_t number) const;
  [[nodiscard]] std::uint32_t uniform_cell(std::uint16_t number) const;
  [[nodiscard]] static std::uint8_t predicate_place(const Operand& operand);
  [[nodiscard]] std::uint32_t pool_cell(PoolCell content);
  [[nodiscard]] std::uint32_t pool_pair(PoolCell low, PoolCell high);

  void set(std::uint32_t flags, bool on = true) {
    if (on) op.flags |= flags;
  }

  MicroOp op;

 private:
  bool constant_source(unsigned index, const Operand& operand, Reading reading);
  void literal_source(unsigned index, const Operand& operand, Reading reading);
  void modify(unsigned index, const Operand& operand, Reading reading);

  const Kernel& kernel_;
  Program& program_;
  std::map<std::uint64_t, std::uint32_t>& pool_;
  const Instruction* instruction_ = nullptr;
  std::span<const Operand> operands_;
  std::size_t next_ = 0;
};

/// Fills Lowering::op; false if the instruction's form is unknown.
using LowerFunction = bool (*)(Lowering&);

/// One mnemonic and the function that translates it.
struct LoweringRule {
  std::string_view mnemonic;
  LowerFunction lower;
};

/// The translating function of an opcode; null if there is none.
[[nodiscard]] LowerFunction lowering_of(Opcode opcode);

[[nodiscard]] std::span<const LoweringRule> integer_rules();
[[nodiscard]] std::span<const LoweringRule> video_rules();
[[nodiscard]] std::span<const LoweringRule> bit_rules();
[[nodiscard]] std::span<const LoweringRule> predicate_rules();
[[nodiscard]] std::span<const LoweringRule> float_rules();
[[nodiscard]] std::span<const LoweringRule> conversion_rules();
[[nodiscard]] std::span<const LoweringRule> warp_rules();
[[nodiscard]] std::span<const LoweringRule> matrix_rules();
[[nodiscard]] std::span<const LoweringRule> memory_rules();
[[nodiscard]] std::span<const LoweringRule> fetch_rules();
[[nodiscard]] std::span<const LoweringRule> async_rules();
[[nodiscard]] std::span<const LoweringRule> flow_rules();

// Shared by several groups of rules.
[[nodiscard]] Comparison comparison_of(const Instruction& instruction);
/// Like comparison_of; FCMP and ICMP print no modifier for "greater than zero".
[[nodiscard]] Comparison comparison_or_greater(const Instruction& instruction);
/// The `nth` boolean modifier among .AND, .OR and .XOR.
[[nodiscard]] BooleanOperator boolean_of(const Instruction& instruction, unsigned nth = 0);
[[nodiscard]] Rounding rounding_of(const Instruction& instruction);

}  // namespace forewarp::execution
