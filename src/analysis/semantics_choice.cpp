// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Moves, comparisons, selections and special registers.
#include "analysis/semantics.h"
#include "program/modifier.h"
#include "program/opcode_words.h"

namespace forewarp::analysis {
namespace {

constexpr std::int64_t word = std::int64_t{1} << 32;

}  // namespace

bool Semantics::by_halves() const {
  return opcode_text(kernel_, instruction_).find("16x2") != std::string_view::npos;
}

void Semantics::move() {
  if (operand_total() < 2) return give_up();
  const Operand& o = operand(1);
  if (o.kind != OperandKind::register_ && o.kind != OperandKind::uniform_register &&
      o.kind != OperandKind::integer && o.kind != OperandKind::constant) {
    return give_up();
  }
  set(0, source(1));
}

void Semantics::select() {
  if (operand_total() < 4) return give_up();
  set(0, pool_.select(predicate_value(3), source(1), source(2)));
}

void Semantics::minimum_maximum() {
  if (operand_total() < 4 || is_predicate(1) || has(modifier::xlo) || has(modifier::xhi) ||
      has(modifier::relu) || by_halves()) {
    return give_up();
  }
  const bool is_unsigned = has(modifier::u32);
  const Expression a = extended(source(1), is_unsigned), b = extended(source(2), is_unsigned);
  set(0, pool_.select(predicate_value(3), pool_.minimum(a, b), pool_.maximum(a, b)));
}

void Semantics::absolute() {
  if (operand_total() < 2) return give_up();
  const Expression value = pool_.sign_extend(source(1));
  set(0, pool_.maximum(value, pool_.negate(value)));
}

Expression Semantics::compare_values(Expression a, Expression b) {
  if (has(modifier::lt)) return pool_.less(a, b);
  if (has(modifier::ge)) return pool_.logical_not(pool_.less(a, b));
  if (has(modifier::gt)) return pool_.less(b, a);
  if (has(modifier::le)) return pool_.logical_not(pool_.less(b, a));
  if (has(modifier::eq)) return pool_.equal(a, b);
  if (has(modifier::ne)) return pool_.logical_not(pool_.equal(a, b));
  return 0;
}

Expression Semantics::combine(Expression a, Expression b) {
  if (has(modifier::or_)) return pool_.logical_or(a, b);
  if (has(modifier::xor_)) {
    return pool_.logical_or(pool_.logical_and(a, pool_.logical_not(b)),
                            pool_.logical_and(pool_.logical_not(a), b));
  }
  return pool_.logical_and(a, b);
}

/// ISETP p, q, a, b, r: p = (a ? b) and r, q = not (a ? b) and r. For the low words, .X takes the
/// borrow from the condition code, .EX their comparison from a last predicate.
void Semantics::compare() {
  if (operand_total() < 5 || !is_predicate(4)) return give_up();
  const bool is_unsigned = has(modifier::u32);
  const Expression a = source(2), b = source(3);
  Expression result = 0;
  if (has(modifier::ex)) {
    if (!is_predicate(5)) return give_up();
    const Operand& chain = operand(5);
    const Slot slot =
        context_.slots.of(chain.kind == OperandKind::predicate ? RegisterFile::predicate
                                                               : RegisterFile::uniform_predicate,
                          chain.index);
    if (slot == no_slot || !state_.definition[slot].is_instruction()) return give_up();
    const auto low = context_.compared.find(state_.definition[slot].instruction());
    if (low == context_.compared.end()) return give_up();
    // The low words may have been compared in the opposite direction: b <= a for a >= b.
    const bool mirrored = low->second.greater != (has(modifier::gt) || has(modifier::ge));
    const Expression low_a = mirrored ? low->second.b : low->second.a;
    const Expression low_b = mirrored ? low->second.a : low->second.b;
    const Expression wide_a = pool_.join(low_a, a);
    const Expression wide_b = pool_.join(low_b, b);
    const bool swapped = has(modifier::gt) || has(modifier::le);
    const bool negated = has(modifier::ge) || has(modifier::le);
    if (has(modifier::eq) || has(modifier::ne) || !is_unsigned) {
      result = compare_values(wide_a, wide_b);
    } else {
      result = swapped ? pool_.less_unsigned(wide_b, wide_a) : pool_.less_unsigned(wide_a, wide_b);
      if (negated) result = pool_.logical_not(result);
    }
  } else if (has(modifier::x)) {
    // The condition code holds U(a) - U(b) + 2^32 of the low words.
    Expression difference = pool_.offset(read(RegisterFile::condition_code, 0), -word);
    difference = pool_.add(difference, pool_.scale(pool_.subtract(a, b), word));
    result = compare_values(difference, pool_.constant(0));
  } else {
    context_.compared[index_] = {a, b, has(modifier::gt) || has(modifier::ge)};
    result = compare_values(extended(a, is_unsigned), extended(b, is_unsigned));
  }
  if (result == 0) return give_up();
  const Expression with = predicate_value(4);
  const Expression first = combine(result, with);
  const Expression second = combine(pool_.logical_not(result), with);
  set_truth(0, first);
  set_truth(1, second);
}

/// ICMP d, a, b, c: selects a or b by comparing c with 0.
void Semantics::compare_select() {
  if (operand_total() < 4) return give_up();
  const Expression condition =
      compare_values(extended(source(3), has(modifier::u32)), pool_.constant(0));
  if (condition == 0) return give_up();
  set(0, pool_.select(condition, source(1), source(2)));
}

/// PSETP.op1.op2 p, q, a, b, c: (a op1 b) op2 c. Followed only if both operators are the same.
void Semantics::predicate_logic() {
  if (operand_total() < 5 || instruction_.modifier_count != 2 ||
      instruction_.modifiers[0] != instruction_.modifiers[1]) {
    return give_up();
  }
  const Expression value = combine(predicate_value(2), predicate_value(3));
  const Expression with = predicate_value(4);
  const Expression first = combine(value, with);
  const Expression second = combine(pool_.logical_not(value), with);
  set_truth(0, first);
  set_truth(1, second);
}

/// PLOP3.LUT p, q, a, b, c, table, table2.
void Semantics::predicate_logic3() {
  if (operand_total() < 6 || leading_predicates(0) < 5) return give_up();
  const Expression a = predicate_value(2), b = predicate_value(3), c = predicate_value(4);
  Expression values[2] = {0, 0};
  for (std::size_t i = 0; i < 2 && 5 + i < operand_total(); ++i) {
    const auto lut = pool_.constant_value(source(5 + i));
    if (!lut) return give_up();
    values[i] = lut3(static_cast<std::uint32_t>(*lut) & 0xffU, a, b, c, true);
  }
  set_truth(0, values[0]);
  set_truth(1, values[1]);
}

void Semantics::special_register() {
  if (operand_total() < 2 || operand(1).kind != OperandKind::special_register) return give_up();
  const auto which = static_cast<SpecialRegister>(operand(1).index);
  Expression value = 0;
  if (which <= SpecialRegister::ctaid_z) {
    value = pool_.launch(static_cast<LaunchSymbol>(
        static_cast<std::uint32_t>(LaunchSymbol::thread_x) + static_cast<std::uint32_t>(which)));
  } else if (which == SpecialRegister::lane_id) {
    value = pool_.launch(LaunchSymbol::lane);
  } else if (which == SpecialRegister::zero || which == SpecialRegister::cga_cta_id) {
    value = pool_.constant(0);  // without clusters each block is block 0 of its own cluster
  } else {
    return give_up();
  }
  const bool pair = opcode_info(instruction_.opcode).mnemonic == "CS2R" && kernel_.sm >= 70 &&
                    !has(modifier::n32);
  return pair ? set_pair(0, value) : set(0, value);
}

void Semantics::to_uniform() {
  const std::size_t results = leading_predicates(0);
  if (operand_total() < results + 2 || instruction_.modifier_count > 0) return give_up();
  set(results, source(results + 1));
  for (std::size_t i = 0; i < results; ++i) {
    set_truth(i, pool_.unknown(UnknownReason::warp, index_, static_cast<std::uint32_t>(i)));
  }
}

void Semantics::load_constant() {
  if (operand_total() < 2 || operand(1).kind != OperandKind::constant) return give_up();
  if (has(modifier::n64)) return set_pair(0, wide_source(1));
  const bool byte = has(modifier::u8) || has(modifier::s8);
  const bool half = has(modifier::u16) || has(modifier::s16);
  if (!byte && !half) return set(0, source(1));
  if (has(modifier::s8) || has(modifier::s16)) return give_up();
  Operand aligned = operand(1);
  const auto within = static_cast<unsigned>(aligned.value & 3);
  aligned.value -= within;
  const Expression bits =
      pool_.shift_right(pool_.zero_extend(plain_value(aligned, false)), 8 * within);
  set(0, pool_.bit_and(bits, pool_.constant(byte ? 0xff : 0xffff)));
}

}  // namespace forewarp::analysis
