// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <span>

#include "execution/lowering/lowering.h"
#include "program/widths.h"

namespace forewarp::execution {
namespace {

/// S2R, S2UR and CS2R. With `bytes` 8 the second register gets zero, or the clock's high word.
bool special_register(Lowering& l) {
  l.op.operation = Operation::special_register;
  if (!l.destination()) return false;
  const Operand* operand = l.take();
  if (operand == nullptr || operand->kind != OperandKind::special_register) return false;
  l.op.immediate = operand->index;
  l.op.bytes = static_cast<std::uint8_t>(4 * widths_of(l.kernel(), l.instruction()).destination);
  const std::string_view name = l.kernel().text_of(*operand);
  const bool clusters = l.sm() >= 90;
  if (name == "SR_SWINLO" && !clusters) l.op.second = 1;
  if (name == "SR_SWINHI" && clusters) l.op.second = 3;
  if (name == "SR_LWINLO") l.op.second = 2;
  return true;
}

/// LEPC R [, target]: the address of this instruction, or of the target.
bool own_address(Lowering& l) {
  l.op.operation = Operation::special_register;
  if (!l.destination()) return false;
  const Operand* target = l.peek();
  if (target != nullptr && target->kind != OperandKind::target &&
      target->kind != OperandKind::integer)
    return false;
  l.op.immediate = static_cast<std::uint32_t>(SpecialRegister::other);
  l.op.second = own_address_value;
  l.op.offset = target != nullptr ? target->value : l.instruction().address;
  l.op.bytes = 8;
  return true;
}

/// R2UR [P,] UR, R and similar: the value of the first active lane; P: which lanes have another.
bool to_uniform(Lowering& l) {
  l.op.operation = Operation::to_uniform;
  if (l.at_predicate() && !l.predicate_out(0)) return false;
  return l.destination() && l.source(0, Reading::integer);
}

/// VOTE.ANY [R,] P, p: the ballot, and whether the predicate holds in any lane (.ALL: in all).
bool vote(Lowering& l) {
  l.op.operation = Operation::vote;
  l.set(flag::own_unknown);
  l.set(flag::any_lane, l.has(modifier::any));
  const std::string_view text = l.kernel().text_of(l.instruction());
  if (text.find(".EQ") != std::string_view::npos) l.op.second = 1;
  const Operand* first = l.peek();
  if (first != nullptr && !l.at_predicate() && !l.destination()) return false;
  return l.predicate_out(0) && l.predicate_in(0);
}

bool match(Lowering& l) {
  l.op.operation = Operation::match;
  l.set(flag::own_unknown);
  l.set(flag::any_lane, l.has(modifier::any));
  l.set(flag::bits64, l.has(modifier::u64));
  if (l.at_predicate() && !l.predicate_out(0)) return false;
  return l.destination() && l.source(0, Reading::integer);
}

enum : std::uint32_t { sum, minimum, maximum, bit_and, bit_or, bit_xor };

/// REDUX.OP UR, R.
bool reduce(Lowering& l) {
  l.op.operation = Operation::reduce;
  l.set(flag::own_unknown);
  l.set(flag::is_signed, l.has(modifier::s32));
  l.op.immediate = sum;
  if (l.has(modifier::min)) l.op.immediate = minimum;
  if (l.has(modifier::max)) l.op.immediate = maximum;
  if (l.has(modifier::and_)) l.op.immediate = bit_and;
  if (l.has(modifier::or_)) l.op.immediate = bit_or;
  if (l.has(modifier::xor_)) l.op.immediate = bit_xor;
  const bool plain = !l.has(modifier::sum) && l.op.immediate == sum;
  if (plain) l.op.immediate = bit_and;  // REDUX without an operator
  return l.destination() && l.source(0, Reading::integer);
}

/// SHFL.MODE P, R, a, lane, clamp and segment mask.
bool shuffle(Lowering& l) {
  l.op.operation = Operation::shuffle;
  l.set(flag::own_unknown);
  if (l.has(modifier::up)) l.op.immediate = 1;
  if (l.has(modifier::down)) l.op.immediate = 2;
  if (l.has(modifier::bfly)) l.op.immediate = 3;
  if (!l.predicate_out(0) || !l.destination()) return false;
  for (unsigned i = 0; i < 3; ++i) {
    if (!l.source(i, Reading::integer)) return false;
  }
  return true;
}

bool nothing(Lowering& l) {
  l.op.operation = Operation::none;
  return true;
}

/// NANOSLEEP ns: the time is read where time is kept.
bool sleep(Lowering& l) {
  l.op.operation = Operation::none;
  l.set(flag::gives_way);
  return l.source(0, Reading::integer);
}

/// BMOV R, B and BMOV B, R.
bool convergence_move(Lowering& l) {
  l.op.operation = Operation::convergence_move;
  const Operand* first = l.peek();
  if (first == nullptr) return false;
  l.set(flag::carry_in, l.has(modifier::clear));
  if (first->kind == OperandKind::convergence) {
    l.op.immediate = first->index;
    l.take();
    l.set(flag::carry_out);
    return l.source(0, Reading::integer);
  }
  if (!l.destination()) return false;
  const Operand* from = l.take();
  if (from == nullptr || from->kind != OperandKind::convergence) return false;
  l.op.immediate = from->index;
  return true;
}

/// B2R.RESULT R [, P]: the result of the last BAR.RED.
bool barrier_result(Lowering& l) {
  l.op.operation = Operation::barrier_result;
  if (!l.has(modifier::result) || !l.destination()) return false;
  return !l.at_predicate() || l.predicate_out(0);
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"S2R", special_register},
    {"S2UR", special_register},
    {"CS2R", special_register},
    {"LEPC", own_address},
    {"R2UR", to_uniform},
    {"VOTE", vote},
    {"VOTEU", vote},
    {"MATCH", match},
    {"REDUX", reduce},
    {"SHFL", shuffle},
    {"BMOV", convergence_move},
    {"B2R", barrier_result},
    {"NOP", nothing},
    {"MEMBAR", nothing},
    {"ERRBAR", nothing},
    {"CGAERRBAR", nothing},
    {"FENCE", nothing},
    {"CCTL", nothing},
    {"CCTLL", nothing},
    {"CCTLT", nothing},
    {"DEPBAR", nothing},
    {"TEXDEPBAR", nothing},
    {"LDGDEPBAR", nothing},
    {"NANOSLEEP", sleep},
    {"ENDCOLLECTIVE", nothing},
    {"PMTRIG", nothing},
});

}  // namespace

std::span<const LoweringRule> warp_rules() {
  return rules;
}

}  // namespace forewarp::execution
