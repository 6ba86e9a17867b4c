// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <span>

#include "execution/lowering/lowering.h"

namespace forewarp::execution {
namespace {

/// ISETP P, P, a, b, p [, low]: .EX continues the comparison of the low words; .X (before sm_70)
/// continues from their condition code.
bool compare(Lowering& l) {
  l.op.operation = Operation::compare;
  l.op.comparison = comparison_of(l.instruction());
  l.op.combine = boolean_of(l.instruction());
  l.set(flag::is_signed, !l.has(modifier::u32));
  if (!l.predicate_out(0) || !l.predicate_out(1)) return false;
  if (!l.source(0, Reading::integer) || !l.source(1, Reading::integer)) return false;
  if (!l.predicate_in(0)) return false;
  if (l.has(modifier::ex)) {
    l.set(flag::extended);
    return l.peek() == nullptr || l.predicate_in(1);  // PT is not printed
  }
  if (l.has(modifier::x)) l.set(flag::extended | flag::carry_in);
  return true;
}

/// ISET R, a, b, p.
bool compare_set(Lowering& l) {
  l.op.operation = Operation::compare_set;
  l.op.comparison = comparison_of(l.instruction());
  l.op.combine = boolean_of(l.instruction());
  l.set(flag::is_signed, !l.has(modifier::u32));
  l.set(flag::as_float, l.has(modifier::bf));
  if (l.has(modifier::x)) l.set(flag::extended | flag::carry_in);
  return l.destination() && l.source(0, Reading::integer) && l.source(1, Reading::integer) &&
         l.predicate_in(0);
}

/// ICMP R, a, b, c: c CMP 0 ? a : b.
bool compare_select(Lowering& l) {
  l.op.operation = Operation::compare_select;
  l.op.comparison = comparison_or_greater(l.instruction());
  l.set(flag::is_signed, !l.has(modifier::u32));
  return l.destination() && l.source(0, Reading::integer) && l.source(1, Reading::integer) &&
         l.source(2, Reading::integer);
}

bool integer_operand(Lowering& l, std::uint32_t& value) {
  const Operand* operand = l.take();
  if (operand == nullptr || operand->kind != OperandKind::integer) return false;
  value = static_cast<std::uint32_t>(operand->value) & 0xffU;
  return true;
}

/// A predicate, or a register of which the sign is meant: R0.SIGN.
bool logic_source(Lowering& l, unsigned index) {
  const Operand* operand = l.peek();
  if (operand == nullptr || operand->kind != OperandKind::register_) return l.predicate_in(index);
  if (l.kernel().text_of(*operand).find(".SIGN") == std::string_view::npos) return false;
  l.op.bank |= static_cast<std::uint8_t>(1U << index);
  return !operand->negate && l.source(index, Reading::integer);
}

/// PLOP3.LUT P, P, a, b, c, table, table.
bool logic3(Lowering& l) {
  l.op.operation = Operation::predicate_logic;
  if (!l.predicate_out(0) || !l.predicate_out(1)) return false;
  for (unsigned i = 0; i < 3; ++i) {
    if (!logic_source(l, i)) return false;
  }
  return integer_operand(l, l.op.immediate) && integer_operand(l, l.op.second);
}

bool applied(BooleanOperator by, bool a, bool b) {
  if (by == BooleanOperator::or_) return a || b;
  return by == BooleanOperator::xor_ ? a != b : a && b;
}

/// Tables of (a OP1 b) OP2 c and, for the second result, !(a OP1 b) OP2 c.
void pair_tables(Lowering& l) {
  const BooleanOperator first = boolean_of(l.instruction(), 0);
  const BooleanOperator second = boolean_of(l.instruction(), 1);
  for (unsigned k = 0; k < 8; ++k) {
    const bool inner = applied(first, (k & 4U) != 0, (k & 2U) != 0);
    const bool c = (k & 1U) != 0;
    if (applied(second, inner, c)) l.op.immediate |= 1U << k;
    if (applied(second, !inner, c)) l.op.second |= 1U << k;
  }
}

bool logic_pair(Lowering& l) {
  l.op.operation = Operation::predicate_logic;
  pair_tables(l);
  if (!l.predicate_out(0) || !l.predicate_out(1)) return false;
  return l.predicate_in(0) && l.predicate_in(1) && l.predicate_in(2);
}

/// PSET R, a, b, c: the same, written to a register.
bool logic_set(Lowering& l) {
  l.op.operation = Operation::predicate_logic;
  pair_tables(l);
  l.set(flag::as_float, l.has(modifier::bf));
  return l.destination() && l.predicate_in(0) && l.predicate_in(1) && l.predicate_in(2);
}

/// Position of P0's bit in the register: where the byte that .B1, .B2 or .B3 names begins.
std::uint32_t byte_shift(const Lowering& l) {
  for (const Operand& operand : l.operands()) {
    if (operand.part == Part::b1) return 8;
    if (operand.part == Part::b2) return 16;
    if (operand.part == Part::b3) return 24;
  }
  return 0;
}

/// PR or CC: which predicates a register's bits stand for.
bool predicate_set(Lowering& l, bool uniform) {
  const Operand* set = l.take();
  if (set == nullptr) return false;
  l.op.immediate = uniform ? predicate::uniform : 0;
  if (set->kind == OperandKind::condition_code) l.op.immediate = predicate::condition_code;
  return set->kind == OperandKind::condition_code || set->kind == OperandKind::predicate_set;
}

bool predicates_to_register(Lowering& l) {
  l.op.operation = Operation::predicates_to_register;
  l.op.second = byte_shift(l);
  if (!l.destination() || !predicate_set(l, l.mnemonic() == "UP2UR")) return false;
  return l.source(0, Reading::integer) && l.source(1, Reading::integer);
}

bool register_to_predicates(Lowering& l) {
  l.op.operation = Operation::register_to_predicates;
  l.op.second = byte_shift(l);
  if (!predicate_set(l, l.mnemonic() == "UR2UP")) return false;
  return l.source(0, Reading::integer) && l.source(1, Reading::integer);
}

/// Truth table of a condition-code test over a = carry, b = zero, c = negative. False for tests
/// that need the overflow flag.
bool code_table(Modifier test, std::uint32_t& table) {
  switch (test) {
    case modifier::eq:
      table = 0xcc;
      return true;  // zero
    case modifier::ne:
    case modifier::neu:
      table = 0x33;
      return true;  // not zero
    case modifier::lt:
    case modifier::ltu:
    case modifier::sft:
      table = 0xaa;
      return true;  // negative
    case modifier::ge:
    case modifier::geu:
      table = 0x55;
      return true;
    case modifier::gt:
    case modifier::gtu:
      table = 0x11;
      return true;  // neither negative nor zero
    case modifier::le:
    case modifier::leu:
      table = 0xee;
      return true;
    default:
      return false;
  }
}

/// CSETP.TEST.AND P, P, CC, p.
bool code_compare(Lowering& l) {
  l.op.operation = Operation::predicate_logic;
  if (!l.predicate_out(0) || !l.predicate_out(1)) return false;
  const Instruction& instruction = l.instruction();
  bool found = false;
  for (std::uint8_t i = 0; i < instruction.modifier_count && !found; ++i) {
    found = code_table(instruction.modifiers[i], l.op.immediate);
  }
  l.op.second = ~l.op.immediate & 0xffU;
  l.op.predicate_in = {predicate::carry, predicate::is_zero, predicate::is_negative};
  return found;
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"ISETP", compare},
    {"UISETP", compare},
    {"ISET", compare_set},
    {"ICMP", compare_select},
    {"PLOP3", logic3},
    {"UPLOP3", logic3},
    {"PSETP", logic_pair},
    {"UPSETP", logic_pair},
    {"PSET", logic_set},
    {"P2R", predicates_to_register},
    {"UP2UR", predicates_to_register},
    {"R2P", register_to_predicates},
    {"UR2UP", register_to_predicates},
    {"CSETP", code_compare},
});

}  // namespace

std::span<const LoweringRule> predicate_rules() {
  return rules;
}

}  // namespace forewarp::execution
