// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "execution/lowering/lowering.h"
#include "execution/state/half_number.h"

namespace forewarp::execution {
namespace {

// For operations with directed rounding.
constexpr std::uint32_t sum_kind = 0, product_kind = 1, fused_kind = 2;

void float_flags(Lowering& l) {
  l.set(flag::flush, l.has(modifier::ftz) || l.has(modifier::fmz));
  l.set(flag::saturate, l.has(modifier::sat));
}

/// For a rounding mode other than nearest, replaces the operation by `directed`.
void direct(Lowering& l, std::uint32_t kind, Operation directed) {
  l.op.rounding = rounding_of(l.instruction());
  if (l.op.rounding == Rounding::nearest) return;
  l.op.operation = directed;
  l.op.second = kind;
}

bool arithmetic(Lowering& l, Operation operation, unsigned count, Reading reading) {
  l.op.operation = operation;
  float_flags(l);
  if (!l.destination() || l.op.has(flag::set_code)) return false;
  for (unsigned i = 0; i < count; ++i) {
    if (!l.source(i, reading)) return false;
  }
  return true;
}

bool add(Lowering& l) {
  if (!arithmetic(l, Operation::float_add, 2, Reading::floating)) return false;
  direct(l, sum_kind, Operation::float_directed);
  return true;
}

/// FMUL.D2, .M4 and the like: an extra power-of-two factor.
float factor_of(const Lowering& l) {
  constexpr std::array<std::pair<std::string_view, float>, 6> factors{{{".D2", 0.5F},
                                                                       {".D4", 0.25F},
                                                                       {".D8", 0.125F},
                                                                       {".M2", 2.0F},
                                                                       {".M4", 4.0F},
                                                                       {".M8", 8.0F}}};
  const std::string_view text = l.kernel().text_of(l.instruction());
  for (const auto& [name, factor] : factors) {
    if (text.find(name) != std::string_view::npos) return factor;
  }
  return 1;
}

bool multiply(Lowering& l) {
  if (!arithmetic(l, Operation::float_multiply, 2, Reading::floating)) return false;
  const float factor = factor_of(l);
  l.set(flag::multiply_d2, factor != 1);
  l.op.immediate = std::bit_cast<std::uint32_t>(factor);
  direct(l, product_kind, Operation::float_directed);
  return factor == 1 || l.op.rounding == Rounding::nearest;
}

bool multiply_add(Lowering& l) {
  if (!arithmetic(l, Operation::float_multiply_add, 3, Reading::floating)) return false;
  direct(l, fused_kind, Operation::float_directed);
  return true;
}

bool double_add(Lowering& l) {
  if (!arithmetic(l, Operation::double_add, 2, Reading::doubles)) return false;
  direct(l, sum_kind, Operation::double_directed);
  return true;
}

bool double_multiply(Lowering& l) {
  if (!arithmetic(l, Operation::double_multiply, 2, Reading::doubles)) return false;
  direct(l, product_kind, Operation::double_directed);
  return true;
}

bool double_multiply_add(Lowering& l) {
  if (!arithmetic(l, Operation::double_multiply_add, 3, Reading::doubles)) return false;
  direct(l, fused_kind, Operation::double_directed);
  return true;
}

bool extreme(Lowering& l, Operation operation, Reading reading) {
  return arithmetic(l, operation, 2, reading) && l.predicate_in(0);
}

/// .NAN and .XORSIGN, which is of magnitudes and needs the signs: |x| is not applied before.
void extreme_flags(Lowering& l) {
  l.set(flag::extended, l.has(modifier::nan));
  l.set(flag::merge, l.says("XORSIGN"));
  if (!l.op.has(flag::merge)) return;
  for (unsigned i = 0; i < 2; ++i) {
    l.op.modify[i] = SourceModifier{};
    l.op.source[i].modified = false;
  }
}

/// With .XORSIGN no operand is negated.
bool signs_fit(const Lowering& l) {
  if (!l.says("XORSIGN")) return true;
  for (const Operand& operand : l.operands()) {
    if (operand.negate) return false;
  }
  return true;
}

bool float_extreme(Lowering& l) {
  if (!signs_fit(l) || !extreme(l, Operation::float_minimum_maximum, Reading::floating))
    return false;
  extreme_flags(l);
  return true;
}

bool double_extreme(Lowering& l) {
  return extreme(l, Operation::double_minimum_maximum, Reading::doubles);
}

bool select(Lowering& l) {
  l.set(flag::own_unknown);
  return extreme(l, Operation::float_select, Reading::floating);
}

Comparison floating_comparison(const Lowering& l) {
  return l.says("EQU") ? Comparison::equal_u : comparison_of(l.instruction());
}

bool comparison(Lowering& l, Operation operation, Reading reading) {
  l.op.operation = operation;
  l.op.comparison = floating_comparison(l);
  l.op.combine = boolean_of(l.instruction());
  float_flags(l);
  if (!l.predicate_out(0) || !l.predicate_out(1)) return false;
  return l.source(0, reading) && l.source(1, reading) && l.predicate_in(0);
}

bool float_comparison(Lowering& l) {
  return comparison(l, Operation::float_compare, Reading::floating);
}

bool double_comparison(Lowering& l) {
  return comparison(l, Operation::double_compare, Reading::doubles);
}

bool set(Lowering& l, Operation operation, Reading reading) {
  l.op.operation = operation;
  l.op.comparison = floating_comparison(l);
  l.op.combine = boolean_of(l.instruction());
  float_flags(l);
  l.set(flag::as_float, l.has(modifier::bf));
  return l.destination() && l.source(0, reading) && l.source(1, reading) && l.predicate_in(0);
}

bool float_set(Lowering& l) {
  return set(l, Operation::float_compare_set, Reading::floating);
}

bool double_set(Lowering& l) {
  return set(l, Operation::double_compare_set, Reading::doubles);
}

bool float_compare_select(Lowering& l) {
  l.op.comparison = comparison_or_greater(l.instruction());
  return arithmetic(l, Operation::float_compare_select, 3, Reading::floating);
}

/// FCHK P, a, b.
bool check(Lowering& l) {
  l.op.operation = Operation::float_check;
  return l.predicate_out(0) && l.source(0, Reading::floating) && l.source(1, Reading::floating);
}

/// Numbered as Function in lane/floating.h.
enum : std::uint32_t {
  reciprocal,
  root,
  reciprocal_root,
  power,
  logarithm,
  sine,
  cosine,
  tanh,
  copy
};

/// MUFU.EX2.F16 R, a[.H1].
bool half_function(Lowering& l) {
  if (!l.destination() || l.peek() == nullptr || l.peek()->negate || l.peek()->absolute)
    return false;
  const Part part = l.peek()->part;
  l.op.second = part == Part::h1 || part == Part::h1_h1 ? 16 : 0;
  return l.source(0, Reading::half);
}

bool function(Lowering& l) {
  l.op.operation = Operation::float_function;
  struct Named {
    Modifier modifier;
    std::uint32_t number;
  };
  constexpr auto functions = std::to_array<Named>({{modifier::rcp, reciprocal},
                                                   {modifier::sqrt, root},
                                                   {modifier::rsq, reciprocal_root},
                                                   {modifier::ex2, power},
                                                   {modifier::lg2, logarithm},
                                                   {modifier::sin, sine},
                                                   {modifier::cos, cosine},
                                                   {modifier::tanh, tanh},
                                                   {modifier::rcp64h, reciprocal},
                                                   {modifier::rsq64h, reciprocal_root}});
  bool found = false;
  for (const Named& named : functions) {
    if (!l.has(named.modifier)) continue;
    l.op.immediate = named.number;
    found = true;
  }
  const bool of_double = l.has(modifier::rcp64h) || l.has(modifier::rsq64h);
  if (of_double) l.op.operation = Operation::double_function;
  l.set(flag::turns, l.sm() >= 70);
  l.op.type = l.has(modifier::f16)    ? ValueType::f16
              : l.has(modifier::bf16) ? ValueType::bf16
                                      : ValueType::f32;
  if (l.op.type != ValueType::f32) return found && half_function(l);
  if (!found || !l.destination()) return false;
  const Operand* from = l.peek();
  if (!l.source(0, Reading::floating)) return false;
  // A number is printed as the double of which its word is the upper one.
  if (of_double && from->kind == OperandKind::floating)
    l.set_immediate(0, static_cast<std::uint32_t>(static_cast<std::uint64_t>(from->value) >> 32));
  return true;
}

/// RRO prepares MUFU's argument before sm_70; here it copies, as MUFU takes the plain value.
bool range_reduction(Lowering& l) {
  l.op.operation = Operation::float_function;
  l.op.immediate = copy;
  l.op.type = ValueType::f32;
  return l.destination() && l.source(0, Reading::floating);
}

std::uint32_t half_part(const Operand& operand) {
  if (operand.part == Part::h0_h0 || operand.part == Part::h0) return 1;
  return operand.part == Part::h1_h1 || operand.part == Part::h1 ? 2 : 0;
}

std::uint32_t narrow(const Operand& operand, bool bfloat) {
  const auto value = std::bit_cast<double>(operand.value);
  return bfloat ? double_to_bfloat(value) : double_to_half(value);
}

/// A half operand: a register with selected halves, or one or two numbers (high half first).
bool half_source(Lowering& l, unsigned index) {
  const Operand* operand = l.peek();
  if (operand == nullptr) return false;
  const bool bfloat = l.op.type == ValueType::bf16;
  if (operand->kind != OperandKind::floating) {
    l.op.immediate |= half_part(*operand) << (2 * index);
    if (l.kernel().text_of(*operand).find(".F32") != std::string_view::npos) {
      l.op.immediate |= 3U << (2 * index);
      return l.source(index, Reading::floating);
    }
    const bool upper_negated =
        l.kernel().text_of(*operand).find(".H0_NH1") != std::string_view::npos;
    if (!l.source(index, Reading::half)) return false;
    if (!upper_negated) return true;
    l.op.second |= 1U << index;  // the upper half, negated, is the lower result's
    l.op.modify[index].flip ^= 0x80000000U;
    l.op.source[index].modified = true;
    return true;
  }
  std::uint32_t word = narrow(*operand, bfloat);
  l.take();
  const Operand* low = l.peek();
  const bool two = low != nullptr && low->kind == OperandKind::floating;
  word = word << 16 | (two ? narrow(*low, bfloat) : word);
  if (two) l.take();
  l.set_immediate(index, word);
  return true;
}

bool half_arithmetic(Lowering& l, Operation operation, unsigned count) {
  l.op.operation = operation;
  l.op.type = l.has(modifier::bf16_v2) ? ValueType::bf16 : ValueType::f16;
  l.set(flag::saturate, l.has(modifier::sat));
  l.set(flag::accumulate, l.has(modifier::relu));
  l.set(flag::flush, l.has(modifier::ftz));
  if (!l.destination()) return false;
  for (unsigned i = 0; i < count; ++i) {
    if (!half_source(l, i)) return false;
  }
  if (l.has(modifier::f32)) l.op.type = ValueType::f32;
  return true;
}

bool half_add(Lowering& l) {
  return half_arithmetic(l, Operation::half_add, 2);
}

bool half_multiply(Lowering& l) {
  return half_arithmetic(l, Operation::half_multiply, 2);
}

/// HFMA2.MMA R, -RZ, RZ, a, b loads a constant.
bool half_fused(Lowering& l) {
  if (!half_arithmetic(l, Operation::half_fused, 3)) return false;
  const auto zero = [&](unsigned i) {
    return !l.op.source[i].pool && l.op.source[i].cell == cell::zero;
  };
  const bool constant =
      l.op.source[2].pool && !l.op.source[2].modified && l.op.type == ValueType::f16;
  if (!zero(0) || !zero(1) || !constant || l.op.has(flag::saturate | flag::accumulate)) return true;
  l.op.operation = Operation::move;
  l.op.source[0] = l.op.source[2];
  l.op.source[2] = Source{};
  return true;
}

bool half_extreme(Lowering& l) {
  if (!signs_fit(l) || !half_arithmetic(l, Operation::half_minimum_maximum, 2)) return false;
  extreme_flags(l);
  return l.predicate_in(0);
}

bool half_comparison(Lowering& l) {
  l.op.operation = Operation::half_compare;
  l.op.type = l.has(modifier::bf16_v2) ? ValueType::bf16 : ValueType::f16;
  l.op.comparison = floating_comparison(l);
  l.op.combine = boolean_of(l.instruction());
  l.set(flag::flush, l.has(modifier::ftz));
  const std::string_view text = l.kernel().text_of(l.instruction());
  l.set(flag::merge, text.find("H_AND") != std::string_view::npos);
  if (!l.predicate_out(0) || !l.predicate_out(1)) return false;
  return half_source(l, 0) && half_source(l, 1) && l.predicate_in(0);
}

bool half_set(Lowering& l) {
  l.op.comparison = floating_comparison(l);
  l.op.combine = boolean_of(l.instruction());
  l.set(flag::as_float, l.has(modifier::bf));
  return half_arithmetic(l, Operation::half_compare_set, 2) && l.predicate_in(0);
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"FADD", add},
    {"FADD32I", add},
    {"FMUL", multiply},
    {"FMUL32I", multiply},
    {"FFMA", multiply_add},
    {"FFMA32I", multiply_add},
    {"FMNMX", float_extreme},
    {"FSEL", select},
    {"FSETP", float_comparison},
    {"FSET", float_set},
    {"FCMP", float_compare_select},
    {"FCHK", check},
    {"MUFU", function},
    {"RRO", range_reduction},
    {"DADD", double_add},
    {"DMUL", double_multiply},
    {"DFMA", double_multiply_add},
    {"DMNMX", double_extreme},
    {"DSETP", double_comparison},
    {"DSET", double_set},
    {"HADD2", half_add},
    {"HADD2_32I", half_add},
    {"HMUL2", half_multiply},
    {"HMUL2_32I", half_multiply},
    {"HFMA2", half_fused},
    {"HFMA2_32I", half_fused},
    {"HMNMX2", half_extreme},
    {"HSETP2", half_comparison},
    {"HSET2", half_set},
});

}  // namespace

std::span<const LoweringRule> float_rules() {
  return rules;
}

}  // namespace forewarp::execution
