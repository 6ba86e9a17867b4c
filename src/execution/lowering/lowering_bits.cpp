// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <span>

#include "execution/lowering/lowering.h"

namespace forewarp::execution {
namespace {

/// Truth table (index a*4 + b*2 + c) of a two-operand operator.
std::uint32_t table_of(const Lowering& l) {
  if (l.has(modifier::or_)) return 0xfc;
  if (l.has(modifier::xor_)) return 0x3c;
  if (l.has(modifier::pass_b)) return 0xcc;
  return 0xc0;
}

/// LOP P0, R0, a, b: the leading predicate says whether the result is not zero. With .X it is the
/// upper word of a pair, whose lower one the condition code tells of.
bool test_result(Lowering& l) {
  l.op.operation = Operation::logic;
  if (l.has(modifier::x)) {
    l.set(flag::carry_in);
    l.op.predicate_in[1] = predicate::is_zero;
  }
  if (!l.at_predicate()) return true;
  l.op.operation = Operation::logic_test;
  l.op.combine = BooleanOperator::or_;
  l.op.predicate_invert[0] = true;  // !PT: no other term sets it
  return l.predicate_out(0);
}

bool logic2(Lowering& l) {
  if (!test_result(l) || !l.destination()) return false;
  if (l.op.has(flag::set_code)) l.op.operation = Operation::logic_test;
  l.op.immediate = table_of(l);
  return l.source(0, Reading::integer) && l.source(1, Reading::integer);
}

bool logic3(Lowering& l) {
  if (!test_result(l) || !l.destination()) return false;
  if (l.op.has(flag::set_code)) l.op.operation = Operation::logic_test;
  for (unsigned i = 0; i < 3; ++i) {
    if (!l.source(i, Reading::integer)) return false;
  }
  const Operand* table = l.take();
  if (table == nullptr || table->kind != OperandKind::integer) return false;
  l.op.immediate = static_cast<std::uint32_t>(table->value) & 0xffU;
  if (l.kernel().text_of(l.instruction()).find(".PAND") != std::string_view::npos) {
    l.op.combine = BooleanOperator::and_;
  }
  if (l.at_predicate()) {
    l.op.predicate_invert[0] = false;
    return l.predicate_in(0);
  }
  return true;
}

/// .W takes the shift count modulo 32; otherwise it is clamped.
bool two_sources(Lowering& l, Operation operation) {
  l.op.operation = operation;
  l.set(flag::wrap, l.has(modifier::w));
  l.set(flag::is_signed, !l.has(modifier::u32));
  return l.destination() && l.source(0, Reading::integer) && l.source(1, Reading::integer);
}

bool shift_left(Lowering& l) {
  return two_sources(l, Operation::shift_left) && !l.op.has(flag::set_code) && !l.has(modifier::x);
}

bool shift_right(Lowering& l) {
  return two_sources(l, Operation::shift_right) && !l.op.has(flag::set_code) && !l.has(modifier::x);
}

bool funnel_shift(Lowering& l) {
  l.op.operation = Operation::funnel_shift;
  const bool left = l.has(modifier::l);
  // Before sm_70 a left shift always gives the high word and a right one the low word.
  l.set(flag::left, left);
  l.set(flag::high, l.has(modifier::hi) || (l.sm() < 70 && left));
  l.set(flag::wrap, l.has(modifier::w));
  l.set(flag::bits64, l.has(modifier::u64) || l.has(modifier::s64));
  l.set(flag::is_signed, l.has(modifier::s32) || l.has(modifier::s64));
  if (!l.destination() || l.op.has(flag::set_code)) return false;
  for (unsigned i = 0; i < 3; ++i) {
    if (!l.source(i, Reading::integer)) return false;
  }
  return true;
}

bool extract_bits(Lowering& l) {
  l.set(flag::position, l.has(modifier::brev));
  return two_sources(l, Operation::extract_bits);
}

bool insert_bits(Lowering& l) {
  return two_sources(l, Operation::insert_bits) && l.source(2, Reading::integer);
}

bool bit_mask(Lowering& l) {
  return two_sources(l, Operation::bit_mask);
}

bool extend_sign(Lowering& l) {
  return two_sources(l, Operation::extend_sign);
}

std::uint32_t permute_mode(const Lowering& l) {
  constexpr auto names =
      std::to_array<std::string_view>({"F4E", "B4E", "RC8", "ECL", "ECR", "RC16"});
  const Instruction& instruction = l.instruction();
  const std::string_view mnemonic = l.kernel().text_of(instruction);
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (mnemonic.find("." + std::string(names[i])) != std::string_view::npos) return i + 1;
  }
  return 0;
}

bool permute_bytes(Lowering& l) {
  l.op.operation = Operation::permute_bytes;
  l.op.second = permute_mode(l);
  if (!l.destination()) return false;
  for (unsigned i = 0; i < 3; ++i) {
    if (!l.source(i, Reading::integer)) return false;
  }
  return true;
}

bool one_source(Lowering& l, Operation operation) {
  l.op.operation = operation;
  return l.destination() && l.source(0, Reading::integer);
}

/// POPC R, a or, before sm_70, POPC R, a, b: the bits of a & b.
bool count_bits(Lowering& l) {
  if (!one_source(l, Operation::count_bits)) return false;
  l.set_immediate(1, 0xffffffffU);
  return l.left() == 0 || l.source(1, Reading::integer);
}

bool find_leading(Lowering& l) {
  l.set(flag::is_signed, !l.has(modifier::u32));
  l.set(flag::position, l.has(modifier::sh));
  return one_source(l, Operation::find_leading);
}

bool reverse_bits(Lowering& l) {
  return one_source(l, Operation::reverse_bits);
}

bool move(Lowering& l) {
  return one_source(l, Operation::move);
}

bool select(Lowering& l) {
  l.op.operation = Operation::select;
  l.set(flag::own_unknown);
  return l.destination() && l.source(0, Reading::integer) && l.source(1, Reading::integer) &&
         l.predicate_in(0);
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"LOP", logic2},         {"LOP32I", logic2},       {"ULOP", logic2},
    {"ULOP32I", logic2},     {"LOP3", logic3},         {"ULOP3", logic3},
    {"SHL", shift_left},     {"USHL", shift_left},     {"SHR", shift_right},
    {"USHR", shift_right},   {"SHF", funnel_shift},    {"USHF", funnel_shift},
    {"BFE", extract_bits},   {"BFI", insert_bits},     {"BMSK", bit_mask},
    {"UBMSK", bit_mask},     {"SGXT", extend_sign},    {"USGXT", extend_sign},
    {"PRMT", permute_bytes}, {"UPRMT", permute_bytes}, {"POPC", count_bits},
    {"UPOPC", count_bits},   {"FLO", find_leading},    {"UFLO", find_leading},
    {"BREV", reverse_bits},  {"UBREV", reverse_bits},  {"MOV", move},
    {"MOV32I", move},        {"UMOV", move},           {"SEL", select},
    {"USEL", select},
});

}  // namespace

std::span<const LoweringRule> bit_rules() {
  return rules;
}

}  // namespace forewarp::execution
