// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Products of a warp's matrix units.
#include <array>
#include <optional>
#include <span>

#include "execution/lowering/lowering.h"
#include "execution/state/matrix_form.h"
#include "program/matrix_shape.h"
#include "program/widths.h"

namespace forewarp::execution {
namespace {

/// Marks the result registers, without computing values.
bool counted(Lowering& l) {
  l.op.operation = Operation::unknown_value;
  l.set(flag::own_unknown);
  l.op.bytes = static_cast<std::uint8_t>(4 * widths_of(l.kernel(), l.instruction()).destination);
  return l.destination();
}

std::optional<MatrixNumber> integer_of(Modifier m) {
  switch (m) {
    case modifier::s8:
      return MatrixNumber::s8;
    case modifier::u8:
      return MatrixNumber::u8;
    case modifier::s4:
      return MatrixNumber::s4;
    case modifier::u4:
      return MatrixNumber::u4;
    default:
      return std::nullopt;
  }
}

MatrixNumber float_of(const Lowering& l) {
  if (l.has(modifier::bf16)) return MatrixNumber::bf16;
  return l.has(modifier::tf32) ? MatrixNumber::tf32 : MatrixNumber::f16;
}

/// Sparse matrices, the steps of the first tensor units and other shapes are only counted.
std::optional<MatrixForm> form_of(const Lowering& l) {
  const auto shape = matrix_shape(l.kernel(), l.instruction());
  if (!shape || shape->columns != 8 || shape->rows > 16 || shape->depth > 64) return std::nullopt;
  if (l.has(modifier::sp) || l.has(modifier::sparse) || l.left() != 4) return std::nullopt;
  return MatrixForm{shape->rows, shape->depth};
}

/// OP.SHAPE D, A, B, C.
bool product(Lowering& l, const MatrixForm& form, ValueType sums) {
  l.op.operation = Operation::matrix_product;
  l.op.immediate = form.packed();
  l.op.type = sums;
  l.set(flag::own_unknown);
  l.set(flag::saturate, l.has(modifier::sat));
  return l.destination() && l.source(0, Reading::integer) && l.source(1, Reading::integer) &&
         l.source(2, Reading::integer);
}

/// HMMA.SP.16832.F32 D, A, B, C, which, selector: of halves.
bool sparse(Lowering& l) {
  const auto shape = matrix_shape(l.kernel(), l.instruction());
  const bool fits = shape && shape->rows == 16 && shape->columns == 8 &&
                    (shape->depth == 16 || shape->depth == 32);
  if (!fits || l.has(modifier::tf32) || l.left() != 6) return counted(l);
  MatrixForm form{shape->rows, shape->depth};
  form.left = form.right = float_of(l);
  form.sparse = true;
  l.set(flag::position, l.sm() >= 90);
  if (!product(l, form, l.has(modifier::f32) ? ValueType::f32 : ValueType::f16)) return false;
  const Operand* which = l.take();
  const Operand* selector = l.take();
  if (which->kind != OperandKind::register_ || selector->kind != OperandKind::integer) return false;
  l.op.uniform_cell = l.register_cell(*which);
  l.op.bank = static_cast<std::uint8_t>(selector->value);
  return true;
}

/// HMMA.16816.F32.BF16: the sums' type first; F16 where no other is named.
bool halves(Lowering& l) {
  if (l.has(modifier::sp)) return sparse(l);
  auto form = form_of(l);
  if (!form || l.has(modifier::n884)) return counted(l);
  form->left = form->right = float_of(l);
  l.set(flag::position, l.sm() >= 90);
  return product(l, *form, l.has(modifier::f32) ? ValueType::f32 : ValueType::f16);
}

/// IMMA.16816.S8.U8: of A and of B.
bool integers(Lowering& l) {
  auto form = form_of(l);
  if (!form) return counted(l);
  unsigned seen = 0;
  for (std::uint8_t i = 0; i < l.instruction().modifier_count; ++i) {
    const auto number = integer_of(l.instruction().modifiers[i]);
    if (!number) continue;
    (seen == 0 ? form->left : form->right) = *number;
    ++seen;
  }
  return seen == 2 ? product(l, *form, ValueType::s32) : counted(l);
}

bool doubles(Lowering& l) {
  auto form = form_of(l);
  if (!form) return counted(l);
  form->left = form->right = MatrixNumber::f64;
  return product(l, *form, ValueType::f64);
}

/// BMMA.168256.AND.POPC D, A.ROW, B.COL, C: words of bits.
bool bits(Lowering& l) {
  constexpr std::uint32_t in_word = 32;
  const auto shape = matrix_shape(l.kernel(), l.instruction());
  const bool both = l.has(modifier::and_);
  if (!shape || shape->columns != 8 || shape->rows > 16 || !l.has(modifier::popc) ||
      (!both && !l.has(modifier::xor_)) || l.left() != 4) {
    return counted(l);
  }
  MatrixForm form{shape->rows, shape->depth / in_word};
  form.left = form.right = both ? MatrixNumber::b1 : MatrixNumber::xor_b1;
  return product(l, form, ValueType::s32);
}

/// MOVM.16.MT88 R, R: an 8 x 8 matrix of 16 bits, mirrored.
bool transpose(Lowering& l) {
  if (!l.has(modifier::mt88)) return counted(l);
  l.op.operation = Operation::matrix_transpose;
  l.set(flag::own_unknown);
  return l.destination() && l.source(0, Reading::integer);
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"HMMA", halves},
    {"IMMA", integers},
    {"DMMA", doubles},
    {"BMMA", bits},
    {"MOVM", transpose},
});

}  // namespace

std::span<const LoweringRule> matrix_rules() {
  return rules;
}

}  // namespace forewarp::execution
