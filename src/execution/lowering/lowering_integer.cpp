// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <span>

#include "execution/lowering/lowering.h"

namespace forewarp::execution {
namespace {

bool sources(Lowering& l, unsigned count, Reading reading = Reading::integer) {
  for (unsigned i = 0; i < count; ++i) {
    if (!l.source(i, reading)) return false;
  }
  return true;
}

/// .X takes the condition code's carry before sm_70, one or two printed predicates from then on.
void carry_in(Lowering& l) {
  l.set(flag::carry_in);
  l.op.predicate_invert = {true, true, true};
  if (l.sm() < 70) {
    l.op.predicate_in[0] = predicate::carry;
    l.op.predicate_in[1] = predicate::second_carry;
    l.op.predicate_invert[0] = l.op.predicate_invert[1] = false;
    return;
  }
  for (unsigned i = 0; i < 2 && l.at_predicate(); ++i) l.predicate_in(i);
}

void carries_out(Lowering& l) {
  for (unsigned i = 0; i < 2 && l.at_predicate(); ++i) {
    l.predicate_out(i);
    l.set(flag::carry_out);
  }
}

/// UIADD3.64 UR4, UR4, UR6, URZ: a sum of three pairs.
bool add_pairs(Lowering& l) {
  l.op.operation = Operation::add_pairs;
  if (l.has(modifier::x) || !l.destination()) return false;
  for (unsigned i = 0; i < 3; ++i) {
    const Operand* operand = l.peek();
    if (operand == nullptr || !l.source(i, Reading::integer)) return false;
    l.widen(i, *operand);
  }
  return true;
}

/// IADD, IADD3, ISUB, IADD32I and their uniform forms: sums of two or three operands.
bool sum(Lowering& l, unsigned count) {
  l.op.operation = Operation::add;
  if (!l.destination()) return false;
  carries_out(l);
  const bool chained = l.has(modifier::x);
  if (!sources(l, count, chained ? Reading::carry_chain : Reading::integer)) return false;
  if (chained) carry_in(l);
  if (l.op.has(flag::carry_out | flag::carry_in | flag::set_code)) {
    l.op.operation = Operation::add_carry;
  }
  if (l.has(modifier::sat)) return false;
  return true;
}

bool add2(Lowering& l) {
  return sum(l, 2);
}

bool subtract(Lowering& l) {
  if (!sum(l, 2)) return false;
  SourceModifier& m = l.op.modify[1];
  m.flip = ~m.flip;
  m.add = l.has(modifier::x) ? 0 : 1 - m.add;
  l.op.source[1].modified = true;
  return true;
}

/// sm_50 to sm_62 print the 20-bit immediate of IADD3 without its sign.
void extend_immediates(Lowering& l) {
  if (l.sm() < 50 || l.sm() >= 70) return;
  for (unsigned i = 0; i < 3; ++i) {
    const Source& from = l.op.source[i];
    if (!from.pool || l.program().pool[from.cell].bank != PoolCell::immediate) continue;
    const std::uint32_t value = l.program().pool[from.cell].value;
    if (value >= 0x80000U && value <= 0xfffffU) l.set_immediate(i, value | 0xfff00000U);
  }
}

bool add3(Lowering& l) {
  if (l.has(modifier::n64)) return add_pairs(l);
  const std::string_view text = l.kernel().text_of(l.instruction());
  const bool left = text.find(".LS") != std::string_view::npos;
  if (!l.has(modifier::rs) && !left) {
    const bool known = sum(l, 3);
    extend_immediates(l);
    return known;
  }
  // (a + b) >> 16 with the carry, plus c.
  l.op.operation = Operation::add_halves;
  l.set(flag::left, left);
  return l.destination() && sources(l, 3);
}

std::array<bool, 2> factor_signs(const Lowering& l) {
  // IMAD.U32.U32 before sm_70 names the type of each factor; a single name applies to both.
  std::array<bool, 2> result{true, true};
  unsigned seen = 0;
  const Instruction& instruction = l.instruction();
  for (std::uint8_t i = 0; i < instruction.modifier_count; ++i) {
    const Modifier m = instruction.modifiers[i];
    if (m != modifier::u32 && m != modifier::s32) continue;
    if (seen < 2) result[seen] = m == modifier::s32;
    if (++seen == 1) result[1] = result[0];
  }
  return result;
}

/// IMAD.MOV, .SHL and .IADD are multiply-adds on another pipe; their results are the same.
bool multiply(Lowering& l, bool with_addend) {
  if (!l.destination()) return false;
  carries_out(l);
  const bool chained = l.has(modifier::x);
  if (!sources(l, 2)) return false;
  const Operand* addend = l.peek();
  if (with_addend && !l.source(2, chained ? Reading::carry_chain : Reading::integer)) return false;
  const auto [first_signed, second_signed] = factor_signs(l);
  if (first_signed != second_signed) return false;
  l.set(flag::is_signed, first_signed);
  l.set(flag::high, l.has(modifier::hi));
  const bool modern = l.sm() >= 70;
  l.set(flag::bits64, l.has(modifier::wide) || (l.has(modifier::hi) && modern));
  if (chained) carry_in(l);
  if (l.op.has(flag::carry_in | flag::carry_out | flag::set_code)) {
    l.op.operation = Operation::multiply_add_carry;
  } else if (l.has(modifier::wide)) {
    l.op.operation = Operation::multiply_add_wide;
  } else {
    l.op.operation = l.has(modifier::hi) ? Operation::multiply_add_high : Operation::multiply_add;
  }
  if (l.op.has(flag::bits64) && with_addend) l.widen(2, *addend);
  return true;
}

bool is_zero(const Lowering& l, unsigned index) {
  return !l.op.source[index].pool && l.op.source[index].cell == cell::zero;
}

/// Replaces multiply-adds with a zero factor, such as IMAD.MOV, by moves.
void simplify(Lowering& l) {
  if (l.op.operation != Operation::multiply_add || (!is_zero(l, 0) && !is_zero(l, 1))) return;
  if (l.op.indexed_constant) return;
  l.op.operation = Operation::move;
  l.op.source[0] = l.op.source[2];
  l.op.modify[0] = l.op.modify[2];
  l.op.source[2] = Source{};
}

bool multiply_add(Lowering& l) {
  if (!multiply(l, true)) return false;
  simplify(l);
  return true;
}

bool multiply_only(Lowering& l) {
  return multiply(l, false);
}

/// IMADSP.U32.U24.U32: the second factor has 16 or 24 bits.
bool multiply_parts(Lowering& l) {
  l.op.operation = Operation::multiply_parts;
  l.op.second = 0xffffffffU;
  if (l.has(modifier::u24)) l.op.second = 0xffffffU;
  if (l.has(modifier::u16h0)) l.op.second = 0xffffU;
  if (l.has(modifier::sd)) l.op.second = l.has(modifier::u16h0) ? 0xffffU : 0xffffffU;
  return l.destination() && sources(l, 3);
}

std::uint32_t half_mode(const Lowering& l) {
  if (l.has(modifier::clo)) return 1;
  if (l.has(modifier::chi)) return 2;
  if (l.has(modifier::cbcc)) return 3;
  return l.has(modifier::csfu) ? 4 : 0;
}

bool half_multiply_add(Lowering& l) {
  l.op.operation = Operation::half_multiply_add;
  l.op.second = half_mode(l);
  l.set(flag::merge, l.has(modifier::mrg));
  l.set(flag::product_left, l.has(modifier::psl));
  unsigned seen = 0;
  const Instruction& instruction = l.instruction();
  for (std::uint8_t i = 0; i < instruction.modifier_count; ++i) {
    const Modifier m = instruction.modifiers[i];
    if (m != modifier::u16 && m != modifier::s16) continue;
    l.set(seen == 0 ? flag::signed_a : flag::signed_b, m == modifier::s16);
    ++seen;
  }
  if (!l.destination() || l.op.has(flag::set_code) || l.has(modifier::x)) return false;
  for (unsigned i = 0; i < 2; ++i) {
    if (l.peek() != nullptr && l.peek()->part == Part::h1) l.op.immediate |= 1U << i;
    if (!l.source(i, Reading::integer)) return false;
  }
  return l.source(2, Reading::integer);
}

bool shift_count(Lowering& l) {
  const Operand* operand = l.take();
  if (operand == nullptr) return true;  // no shift
  if (operand->kind != OperandKind::integer) return false;
  l.op.immediate = static_cast<std::uint32_t>(operand->value);
  return true;
}

/// ISCADD, LEA and its .HI forms.
bool shift_add(Lowering& l) {
  if (l.sm() < 70 && l.predicate_out(0)) l.set(flag::carry_out | flag::position);
  if (!l.destination()) return false;
  carries_out(l);
  const bool high = l.has(modifier::hi);
  l.op.operation = high ? Operation::shift_add_high : Operation::shift_add;
  const Reading addend = l.has(modifier::x) ? Reading::carry_chain : Reading::integer;
  if (!l.source(0, Reading::integer) || !l.source(1, addend)) return false;
  l.set(flag::is_signed, l.has(modifier::sx32));
  if (high && !l.has(modifier::sx32) && !l.source(2, Reading::integer)) return false;
  if (!shift_count(l)) return false;
  if (l.has(modifier::x)) carry_in(l);
  return true;
}

bool extreme(Lowering& l) {
  l.op.operation = Operation::minimum_maximum;
  l.set(flag::is_signed, !l.has(modifier::u32));
  // .XLO, .XMED, .XHI work on long values word by word: the high words run first, and the condition
  // code keeps which value was chosen.
  if (l.has(modifier::xlo)) l.set(flag::extended);
  return l.destination() && sources(l, 2) && l.predicate_in(0);
}

bool absolute(Lowering& l) {
  l.op.operation = Operation::absolute;
  return l.destination() && sources(l, 1);
}

bool sum_absolute_difference(Lowering& l) {
  l.op.operation = Operation::sum_absolute_difference;
  l.set(flag::is_signed, !l.has(modifier::u32));
  return l.destination() && sources(l, 3);
}

bool dot_product(Lowering& l) {
  l.op.operation = Operation::dot_product;
  l.op.immediate = l.has(modifier::n2a) ? 2 : 4;
  l.op.second = l.has(modifier::n2a) && l.has(modifier::hi) ? 2 : 0;
  const Instruction& instruction = l.instruction();
  unsigned seen = 0;
  for (std::uint8_t i = 0; i < instruction.modifier_count; ++i) {
    const Modifier m = instruction.modifiers[i];
    const bool is_signed_type = m == modifier::s8 || m == modifier::s16;
    if (!is_signed_type && m != modifier::u8 && m != modifier::u16) continue;
    l.set(seen == 0 ? flag::signed_a : flag::signed_b, is_signed_type);
    ++seen;
  }
  return l.destination() && sources(l, 3);
}

void vector_flags(Lowering& l) {
  const bool halves = l.says("S16x2") || l.says("U16x2") || l.says("16x2");
  l.set(flag::packed, halves);
  l.set(flag::is_signed, !l.has(modifier::u32) && !l.says("U16x2"));
  l.set(flag::accumulate, l.has(modifier::relu));
}

/// By halves nothing is negated.
bool plain_operands(const Lowering& l) {
  for (const Operand& operand : l.operands()) {
    if (operand.kind == OperandKind::register_ && (operand.negate || operand.invert)) return false;
  }
  return true;
}

/// VIADD, or by halves VIADD.16x2.
bool vector_add(Lowering& l) {
  if (!l.says("16x2")) return add2(l);
  l.op.operation = Operation::vector_add;
  return plain_operands(l) && l.destination() && sources(l, 2);
}

/// VIMNMX R, a, b, p; .S16x2, .U16x2, .RELU.
bool vector_extreme(Lowering& l) {
  vector_flags(l);
  if (!l.op.has(flag::packed | flag::accumulate)) return extreme(l);
  l.op.operation = Operation::vector_extreme;
  return plain_operands(l) && l.destination() && sources(l, 2) && l.predicate_in(0);
}

/// VIMNMX3 R, a, b, c, p and VIADDMNMX R, a, b, c, p: of a + b and c.
bool vector_extreme3(Lowering& l) {
  vector_flags(l);
  l.op.operation = Operation::vector_extreme;
  l.set(l.mnemonic() == "VIMNMX3" ? flag::extended : flag::carry_in);
  if (l.op.has(flag::packed) && !plain_operands(l)) return false;
  return l.destination() && sources(l, 3) && l.predicate_in(0);
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"IADD", add2},
    {"IADD32I", add2},
    {"ISUB", subtract},
    {"IADD3", add3},
    {"UIADD3", add3},
    {"VIADD", vector_add},
    {"IMAD", multiply_add},
    {"UIMAD", multiply_add},
    {"IMUL", multiply_only},
    {"IMUL32I", multiply_only},
    {"IMAD32I", multiply_add},
    {"IMADSP", multiply_parts},
    {"XMAD", half_multiply_add},
    {"ISCADD", shift_add},
    {"ISCADD32I", shift_add},
    {"LEA", shift_add},
    {"ULEA", shift_add},
    {"IMNMX", extreme},
    {"UIMNMX", extreme},
    {"VIMNMX", vector_extreme},
    {"VIMNMX3", vector_extreme3},
    {"VIADDMNMX", vector_extreme3},
    {"IABS", absolute},
    {"UIABS", absolute},
    {"ISAD", sum_absolute_difference},
    {"IDP", dot_product},
    {"IDP4A", dot_product},
});

}  // namespace

std::span<const LoweringRule> integer_rules() {
  return rules;
}

}  // namespace forewarp::execution
