// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/interval.h"

namespace forewarp::analysis {

/// A symbolic integer: the number of a node in an ExpressionPool. Equal numbers mean equal values.
using Expression = std::uint32_t;

/// Kind of a node. Values are integers modulo 2^64, read as signed. A 32-bit register is
/// represented by any integer congruent to it modulo 2^32; sign_extend and zero_extend give its
/// exact value.
enum class ExpressionKind : std::uint8_t {
  constant,
  parameter,      ///< bytes of the kernel's parameters: index = byte offset, bytes, is_signed
  constant_bank,  ///< 4 or 8 bytes of other constant memory: a = bank, index = byte offset
  launch,         ///< index = LaunchSymbol
  iteration,      ///< index = loop: its completed passes
  phi,            ///< index = loop, a = state slot: value at the start of a pass, unresolved
  unknown,        ///< index = place, a = UnknownReason, b = cause
  product,        ///< of the nodes of its terms
  sum,            ///< value + terms
  sign_extend,
  zero_extend,  ///< of the low 32 bits of a
  floor_divide,
  truncate_divide,  ///< a / b
  bit_and,
  bit_or,
  bit_xor,
  minimum,
  maximum,
  select,  ///< a ? b : c
  equal,
  less,
  less_unsigned,  ///< 0 or 1; less_unsigned compares 64 bits
  logical_and,
  logical_or,
  logical_not,
  power_of_two,  ///< 2^a; 1 for a < 0, 2^max_power for larger a
  floor_log2,    ///< of a; -1 for a <= 0
  half_product,  ///< low 16 bits of a * low 16 bits of b (XMAD)
  half_merge,    ///< low half: low half of lo16(a)*hi16(b); high half: lo16(b) (XMAD.MRG)
};

enum class LaunchSymbol : std::uint8_t {
  block_x,
  block_y,
  block_z,
  grid_x,
  grid_y,
  grid_z,
  thread_x,
  thread_y,
  thread_z,
  block_index_x,
  block_index_y,
  block_index_z,
  lane,
};

/// Why a value is unknown before the kernel runs.
enum class UnknownReason : std::uint8_t {
  load,              ///< read from memory
  special_register,  ///< clock, SM number ..
  warp,              ///< a subroutine may have changed it
  call,              ///< a subroutine may change it
  merge,             ///< differs between the paths that lead here
  loop_carried,      ///< changes from pass to pass without a closed form
  not_modelled,      ///< arithmetic that is not modelled (floating point ..)
  entry,             ///< never written
  too_complex,
};

/// Symbolic powers of two are limited to this exponent, beyond the largest shift of a 32-bit word.
inline constexpr std::int64_t max_power = 40;

/// One addend of a sum, or one factor of a product (coefficient 1).
struct Term {
  Expression node = 0;
  std::int64_t coefficient = 1;
  bool operator==(const Term&) const = default;
};

/// What occurs anywhere in an expression: bits of ExpressionNode::contents.
enum Contents : std::uint8_t {
  contains_phi = 1,
  contains_iteration = 2,
  contains_unknown = 4,
  contains_constant_bank = 8,
  contains_extension = 32,  ///< sign_extend or zero_extend
  contains_thread = 16,     ///< a thread's or block's index, or the lane
};

struct ExpressionNode {
  ExpressionKind kind = ExpressionKind::constant;
  std::uint8_t bytes = 0;
  bool is_signed = false;
  std::uint16_t depth = 0;
  std::uint8_t contents = 0;
  std::uint32_t a = 0, b = 0, c = 0;  ///< operands
  std::uint32_t index = 0;
  std::uint32_t first_term = 0, term_count = 0;
  std::int64_t value = 0;
  Interval range;
};

/// How many of a, b and c are operand nodes. Terms are not counted.
[[nodiscard]] unsigned operand_count(ExpressionKind kind);

/// Owns the nodes; equal expressions have equal numbers. Sums of products have one normal form, so
/// that `942 + 24*a` is the same node however it was computed.
class ExpressionPool {
 public:
  ExpressionPool();

  // Atoms.
  Expression constant(std::int64_t value);
  Expression parameter(std::uint32_t offset, std::uint8_t bytes, bool is_signed);
  Expression constant_bank(std::uint32_t bank, std::uint32_t offset, std::uint8_t bytes);
  Expression launch(LaunchSymbol symbol);
  Expression iteration(std::uint32_t loop);
  Expression phi(std::uint32_t loop, std::uint32_t slot);
  /// `place` (an instruction or block index) and `slot` distinguish unknowns. `cause`: an
  /// expression that contains the unknown from which this one derives, or 0.
  Expression unknown(UnknownReason reason, std::uint32_t place, std::uint32_t slot,
                     Expression cause = 0);

  // Ring operations, valid modulo 2^32 and 2^64.
  Expression add(Expression a, Expression b);
  Expression subtract(Expression a, Expression b);
  Expression negate(Expression a) { return scale(a, -1); }
  Expression scale(Expression a, std::int64_t factor);
  Expression multiply(Expression a, Expression b);
  Expression offset(Expression a, std::int64_t by);
  /// The simplest expression congruent to `a` modulo 2^32, as a register holds it.
  Expression residue(Expression a);

  // Exact operations on integers.
  Expression sign_extend(Expression a);
  Expression zero_extend(Expression a);
  Expression floor_divide(Expression a, Expression b);
  Expression truncate_divide(Expression a, Expression b);
  Expression shift_right(Expression a, unsigned bits) { return floor_divide_power(a, bits); }
  Expression bit_and(Expression a, Expression b);
  Expression bit_or(Expression a, Expression b);
  Expression bit_xor(Expression a, Expression b);
  Expression minimum(Expression a, Expression b);
  Expression maximum(Expression a, Expression b);
  Expression select(Expression condition, Expression yes, Expression no);
  /// `e` under the assumption that `condition` holds, or does not: resolves its outermost selects.
  [[nodiscard]] Expression assume(Expression e, Expression condition, bool holds) const;
  Expression power_of_two(Expression a);
  Expression floor_log2(Expression a);
  Expression half_product(Expression a, Expression b);
  Expression half_merge(Expression a, Expression b);
  /// The 64-bit value of a register pair.
  Expression join(Expression low, Expression high);
  Expression high_word(Expression a) { return floor_divide_power(a, 32); }

  // Conditions: 0 or 1.
  Expression equal(Expression a, Expression b);
  Expression less(Expression a, Expression b);
  Expression less_unsigned(Expression a, Expression b);
  Expression logical_and(Expression a, Expression b);
  Expression logical_or(Expression a, Expression b);
  Expression logical_not(Expression a);

  /// The same operation on other operands; for kinds after `sum`.
  Expression remake(ExpressionKind kind, Expression a, Expression b, Expression c);

  [[nodiscard]] const ExpressionNode& node(Expression e) const { return nodes_[e]; }
  [[nodiscard]] ExpressionKind kind(Expression e) const { return nodes_[e].kind; }
  [[nodiscard]] const Interval& range(Expression e) const { return nodes_[e].range; }
  [[nodiscard]] bool is_constant(Expression e) const {
    return nodes_[e].kind == ExpressionKind::constant;
  }
  [[nodiscard]] std::optional<std::int64_t> constant_value(Expression e) const;
  [[nodiscard]] bool contains(Expression e, unsigned contents) const {
    return (nodes_[e].contents & contents) != 0;
  }
  /// Addends of a sum (without its constant), or `e` itself; none for a constant.
  [[nodiscard]] std::vector<Term> terms(Expression e) const;
  /// The constant addend of a sum.
  [[nodiscard]] std::int64_t constant_part(Expression e) const;
  [[nodiscard]] std::span<const Term> stored_terms(Expression e) const {
    return std::span(terms_).subspan(nodes_[e].first_term, nodes_[e].term_count);
  }
  /// Appends the addends of factor*e to `terms`; returns `constant` plus that of factor*e.
  std::int64_t append_scaled(Expression e, std::int64_t factor, std::vector<Term>& terms,
                             std::int64_t constant) const;
  /// A normalised sum of these terms and constant.
  Expression sum(std::vector<Term> terms, std::int64_t constant);
  Expression product(std::vector<Expression> factors);
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  static constexpr std::size_t max_terms = 48;
  static constexpr std::size_t max_factors = 6;
  static constexpr std::uint16_t max_depth = 48;
  static constexpr std::size_t max_nodes = 1'000'000;

 private:
  bool derive(ExpressionNode& node, std::span<const Term> terms) const;
  Expression intern(ExpressionNode node, std::span<const Term> terms = {});
  Expression binary(ExpressionKind kind, Expression a, Expression b, Interval range);
  Expression unary(ExpressionKind kind, Expression a, Interval range);
  Expression too_complex();
  Expression floor_divide_power(Expression a, unsigned bits);
  Expression truncated_division(Expression a, unsigned bits);
  [[nodiscard]] unsigned known_zeros(Expression a) const;
  Expression add_scaled(Expression a, Expression b, std::int64_t factor);
  Expression residue_of_term(const Term& term);
  Expression select_bits(Expression a, std::int64_t mask);
  void join_pairs(std::vector<Term>& terms, std::int64_t& constant);
  Expression pair_of(Expression low, Expression high);
  std::optional<Interval> remainder_range(const std::vector<Term>& terms, std::int64_t constant);
  [[nodiscard]] Interval range_of_sum(std::span<const Term> terms, std::int64_t constant) const;
  [[nodiscard]] Interval range_of_product(std::span<const Term> factors) const;
  [[nodiscard]] bool same(const ExpressionNode& a, const ExpressionNode& b,
                          std::span<const Term> b_terms) const;
  void grow_table();

  std::vector<ExpressionNode> nodes_;
  std::vector<Term> terms_;
  std::vector<std::uint64_t> hashes_;  ///< by node
  std::vector<std::uint32_t> table_;   ///< open addressing: node number + 1
  std::vector<Expression> residues_;   ///< memo of residue(): node number + 1
};

}  // namespace forewarp::analysis
