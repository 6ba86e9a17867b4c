// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Matrix units. Lane t = 4g + q holds of a row-by-depth matrix A, per register of e elements, those
// of row g (and g + 8) that begin at column q * e of each 4 e columns; of B the same of column g;
// of the sums row g (and g + 8), columns 2q and 2q + 1 (PTX ISA, fragments of mma).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "execution/state/matrix_form.h"
#include "execution/warp/warp_memory.h"

namespace forewarp::execution::warp_operation {
namespace {

constexpr unsigned columns = 8, most_rows = 16, most_depth = 64, quad = 4;

using Row = std::array<double, columns>;
/// A transposed, B, and the sums: the inner index is what the products run over side by side.
using Left = std::array<std::array<double, most_rows>, most_depth>;
using Right = std::array<Row, most_depth>;
using Sums = std::array<Row, most_rows>;

/// Registers of one lane that hold a matrix of so many elements over all 32.
unsigned registers_of(unsigned elements, unsigned bits) {
  return elements * bits / (32 * lane_count);
}

bool is_unknown(const Warp& warp, const Source& source, unsigned words) {
  if (source.pool || source.cell == cell::zero) return false;
  for (unsigned i = 0; i < words; ++i) {
    if (warp.unknown.cells[source.cell + i] != 0) return true;
  }
  return false;
}

std::uint32_t word_of(const Warp& warp, const Source& source, unsigned at, unsigned lane) {
  return plain_source(warp, source, at)[lane];
}

double double_of(const Warp& warp, const Source& source, unsigned at, unsigned lane) {
  const std::uint64_t high = word_of(warp, source, at + 1, lane);
  return std::bit_cast<double>(high << 32 | word_of(warp, source, at, lane));
}

/// Calls put(line, place, value) for all elements of A (lines: rows) or of B (lines: columns).
template <MatrixNumber number, typename Put>
void for_each_element_of(const Warp& warp, const Source& source, unsigned lines, unsigned depth,
                         const Put& put) {
  constexpr unsigned bits = bits_of(number), each = bits < 32 ? 32 / bits : 1;
  constexpr unsigned words = bits > 32 ? 2 : 1;
  unsigned at = 0;
  for (unsigned place = 0; place < depth; place += quad * each) {
    for (unsigned line = 0; line < lines; line += lane_count / quad, at += words) {
      for (unsigned lane = 0; lane < lane_count; ++lane) {
        const unsigned first = place + lane % quad * each;
        if constexpr (number == MatrixNumber::f64) {
          put(line + lane / quad, first, double_of(warp, source, at, lane));
        } else {
          const std::uint32_t word = word_of(warp, source, at, lane);
          for (unsigned part = 0; part < each; ++part)
            put(line + lane / quad, first + part, element_of(word, part, number));
        }
      }
    }
  }
}

template <typename Put>
void for_each_element(const Warp& warp, const Source& source, MatrixNumber number, unsigned lines,
                      unsigned depth, const Put& put) {
  const auto of = [&]<MatrixNumber known>() {
    for_each_element_of<known>(warp, source, lines, depth, put);
  };
  switch (number) {
    case MatrixNumber::f16:
      return of.template operator()<MatrixNumber::f16>();
    case MatrixNumber::bf16:
      return of.template operator()<MatrixNumber::bf16>();
    case MatrixNumber::tf32:
      return of.template operator()<MatrixNumber::tf32>();
    case MatrixNumber::f64:
      return of.template operator()<MatrixNumber::f64>();
    case MatrixNumber::s8:
      return of.template operator()<MatrixNumber::s8>();
    case MatrixNumber::u8:
      return of.template operator()<MatrixNumber::u8>();
    case MatrixNumber::s4:
      return of.template operator()<MatrixNumber::s4>();
    case MatrixNumber::u4:
      return of.template operator()<MatrixNumber::u4>();
    case MatrixNumber::b1:
    case MatrixNumber::xor_b1:
      return of.template operator()<MatrixNumber::b1>();
  }
}

/// Calls visit(row, column, first register of the lane, part of it, lane) for all sums.
template <typename Visit>
void for_each_sum(unsigned rows, unsigned bits, const Visit& visit) {
  for (unsigned half = 0; half < rows / 8; ++half) {
    for (unsigned side = 0; side < 2; ++side) {
      const unsigned number = 2 * half + side;
      const unsigned at = bits == 16 ? number / 2 : number * bits / 32;
      for (unsigned lane = 0; lane < lane_count; ++lane)
        visit(8 * half + lane / quad, lane % quad * 2 + side, at, bits == 16 ? side : 0, lane);
    }
  }
}

double sum_in(const Warp& warp, const MicroOp& op, unsigned at, unsigned part, unsigned lane) {
  const Source& from = op.source[2];
  if (op.type == ValueType::f64) return double_of(warp, from, at, lane);
  const std::uint32_t word = word_of(warp, from, at, lane);
  if (op.type == ValueType::s32) return static_cast<std::int32_t>(word);
  if (op.type == ValueType::f16) return element_of(word, part, MatrixNumber::f16);
  return std::bit_cast<float>(word);
}

/// The sum of integers as its 32 bits: wrapped, or at the limit.
std::uint32_t integer_bits(double sum, bool saturate) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (saturate) sum = std::fmin(std::fmax(sum, Limits::min()), Limits::max());
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(sum));
}

void put_sum(Warp& warp, const MicroOp& op, double sum, unsigned at, unsigned part, unsigned lane) {
  std::uint32_t& word = destination(warp, op, at)[lane];
  switch (op.type) {
    case ValueType::f64: {
      const auto bits = std::bit_cast<std::uint64_t>(sum);
      word = static_cast<std::uint32_t>(bits);
      destination(warp, op, at + 1)[lane] = static_cast<std::uint32_t>(bits >> 32);
      return;
    }
    case ValueType::s32:
      word = integer_bits(sum, op.has(flag::saturate));
      return;
    case ValueType::f16:
      word = (word & 0xffff0000U >> 16 * part) | double_to_half(sum) << 16 * part;
      return;
    default:
      constexpr std::uint32_t float_nan = 0x7fffffffU;
      word = sum != sum ? float_nan : std::bit_cast<std::uint32_t>(static_cast<float>(sum));
  }
}

unsigned sum_bits(ValueType type) {
  return type == ValueType::f16 ? 16 : type == ValueType::f64 ? 64 : 32;
}

double added(const MatrixForm& form, double sum, double left, double right) {
  switch (form.left) {
    case MatrixNumber::f64:
      return std::fma(left, right, sum);
    case MatrixNumber::b1:
      return sum +
             std::popcount(static_cast<std::uint32_t>(left) & static_cast<std::uint32_t>(right));
    case MatrixNumber::xor_b1:
      return sum +
             std::popcount(static_cast<std::uint32_t>(left) ^ static_cast<std::uint32_t>(right));
    default:
      return sum + left * right;
  }
}

/// Where the elements of a sparse matrix stand: two bits for each, of eight in a row g in the lower
/// half and of row g + 8 in the upper half of a lane's register; the lanes of a quad that have them
/// begin at the selector times their number (PTX ISA, metadata of mma.sp).
class Kept {
 public:
  Kept(const Warp& warp, const MicroOp& op, const MatrixForm& form)
      : words_(warp.cell_at(op.uniform_cell)), first_(op.bank * (form.depth / 2 / in_lane)) {}

  [[nodiscard]] unsigned place(unsigned row, unsigned k) const {
    const unsigned lane = row % 8 * quad + (first_ + k / in_lane) % quad;
    const std::uint32_t bits = words_[lane] >> 16 * (row / 8) >> 2 * (k % in_lane);
    return k / 2 * 4 + (bits & 3U);
  }

 private:
  static constexpr unsigned in_lane = 8;
  const std::uint32_t* words_;
  unsigned first_;
};

/// Exponents of numbers; those of zeros are below all others. Small, so that one instruction takes
/// the larger of eight.
using Exponent = std::int16_t;
constexpr Exponent no_exponent = -4000, special_exponent = 1024;
Exponent exponent_of(double value) {
  if (value == 0) return no_exponent;
  return static_cast<Exponent>(
      static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ffU) - 1023);
}

/// Towards zero to a float.
double cut(double value) {
  const auto nearest = static_cast<float>(value);
  if (!std::isfinite(nearest) || std::fabs(double{nearest}) <= std::fabs(value)) return nearest;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) - 1);  // the next one to zero
}

/// How the unit of sm_90 adds, as was seen on a board, bit for bit in all shapes: all products of
/// one sum and what they are added to are cut off, towards zero, 25 bits below the largest exponent
/// among them (that of a product is the sum of its factors'), then added exactly and cut off to a
/// float.
class AlignedSums {
 public:
  AlignedSums(const Left& left, const Right& right, const MatrixForm& form)
      : left_(left), right_(right), form_(form) {
    for (unsigned k = 0; k < form.depth; ++k) {
      for (unsigned row = 0; row < form.rows; ++row) {
        left_exponent_[k][row] = exponent_of(left[k][row]);
        special_row_[row] = special_row_[row] || left_exponent_[k][row] == special_exponent;
      }
      for (unsigned c = 0; c < columns; ++c) {
        right_exponent_[k][c] = exponent_of(right[k][c]);
        special_column_[c] = special_column_[c] || right_exponent_[k][c] == special_exponent;
      }
    }
    for (unsigned k = 0; k < form.depth; ++k) {
      for (unsigned c = 0; c < columns; ++c)
        finite_right_[k][c] = special_column_[c] ? 0.0 : right[k][c];
    }
  }

  void add(unsigned row, Row& sums) const {
    const Row before = sums;
    Row finite = sums;
    for (unsigned c = 0; c < columns; ++c) {
      if (is_special(row, c, before[c])) finite[c] = 0;
    }
    if (!special_row_[row]) add_finite(row, finite);
    for (unsigned c = 0; c < columns; ++c)
      sums[c] = is_special(row, c, before[c]) ? special(row, c, before[c]) : finite[c];
  }

 private:
  using Exponents = std::array<Exponent, columns>;
  static constexpr int kept_bits = 25, least_exponent = -1000;

  [[nodiscard]] bool is_special(unsigned row, unsigned c, double before) const {
    return special_row_[row] || special_column_[c] || exponent_of(before) == special_exponent;
  }

  /// Columns with an infinity or NaN are left as they come out.
  void add_finite(unsigned row, Row& sums) const {
    Exponents top{};
    for (unsigned c = 0; c < columns; ++c) top[c] = exponent_of(sums[c]);
    for (unsigned k = 0; k < form_.depth; ++k) {
      const Exponent a = left_exponent_[k][row];
      for (unsigned c = 0; c < columns; ++c) {
        const auto sum = static_cast<Exponent>(a + right_exponent_[k][c]);
        top[c] = top[c] < sum ? sum : top[c];
      }
    }
    Row scale{}, total{};
    for (unsigned c = 0; c < columns; ++c) {
      const bool none = special_column_[c] || top[c] < least_exponent;
      const int up = none ? 0 : kept_bits - top[c];
      scale[c] = std::bit_cast<double>(static_cast<std::uint64_t>(1023 + up) << 52);
      total[c] = static_cast<std::int32_t>(sums[c] * scale[c]);
    }
    for (unsigned k = 0; k < form_.depth; ++k) {
      const double a = left_[k][row];
      for (unsigned c = 0; c < columns; ++c)
        total[c] += static_cast<std::int32_t>(a * finite_right_[k][c] * scale[c]);
    }
    for (unsigned c = 0; c < columns; ++c) sums[c] = total[c] / scale[c];
  }

  /// Among infinities and NaNs nothing is cut off.
  [[nodiscard]] double special(unsigned row, unsigned c, double sum) const {
    for (unsigned k = 0; k < form_.depth; ++k) sum += left_[k][row] * right_[k][c];
    return sum;
  }

  const Left& left_;
  const Right& right_;
  const MatrixForm& form_;
  Right finite_right_;  ///< zeros in columns with an infinity or NaN
  std::array<std::array<Exponent, most_rows>, most_depth> left_exponent_;
  std::array<Exponents, most_depth> right_exponent_;
  std::array<bool, most_rows> special_row_{};
  std::array<bool, columns> special_column_{};
};

/// How the units before sm_90 round on the way is not known: a sum is exact here but for its last
/// rounding.
Sums multiplied(const Warp& warp, const MicroOp& op, const MatrixForm& form) {
  // What the form has is filled below; the rest, most of it, is not read.
  Left left;
  Right right;
  Sums sums;
  if (form.sparse) {
    for (auto& column : left) column.fill(0);
    const Kept kept(warp, op, form);
    for_each_element(
        warp, op.source[0], form.left, form.rows, form.depth / 2,
        [&](unsigned row, unsigned k, double value) { left[kept.place(row, k)][row] = value; });
  } else {
    for_each_element(warp, op.source[0], form.left, form.rows, form.depth,
                     [&](unsigned row, unsigned k, double value) { left[k][row] = value; });
  }
  for_each_element(warp, op.source[1], form.right, columns, form.depth,
                   [&](unsigned column, unsigned k, double value) { right[k][column] = value; });
  for_each_sum(form.rows, sum_bits(op.type),
               [&](unsigned row, unsigned column, unsigned at, unsigned part, unsigned lane) {
                 sums[row][column] = sum_in(warp, op, at, part, lane);
               });
  if (op.has(flag::position)) {
    const AlignedSums unit(left, right, form);
    for (unsigned row = 0; row < form.rows; ++row) {
      unit.add(row, sums[row]);
      if (op.type != ValueType::f32) continue;
      for (double& sum : sums[row]) sum = cut(sum);
    }
    return sums;
  }
  for (unsigned k = 0; k < form.depth; ++k) {
    for (unsigned row = 0; row < form.rows; ++row) {
      for (unsigned column = 0; column < columns; ++column)
        sums[row][column] = added(form, sums[row][column], left[k][row], right[k][column]);
    }
  }
  return sums;
}

}  // namespace

void matrix_product(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const MatrixForm form = MatrixForm::unpacked(op.immediate);
  const unsigned kept = form.sparse ? form.depth / 2 : form.depth;
  const unsigned left_words = registers_of(form.rows * kept, bits_of(form.left));
  const unsigned right_words = registers_of(columns * form.depth, bits_of(form.right));
  const unsigned sum_words = registers_of(form.rows * columns, sum_bits(op.type));
  const bool lost = warp.unknown.any && (is_unknown(warp, op.source[0], left_words) ||
                                         is_unknown(warp, op.source[1], right_words) ||
                                         is_unknown(warp, op.source[2], sum_words) ||
                                         (form.sparse && warp.unknown.cells[op.uniform_cell] != 0));
  mark_result(warp, op, lanes, lost ? lanes : 0, sum_words);
  if (lost) return;
  const Sums sums = multiplied(warp, op, form);
  for_each_sum(form.rows, sum_bits(op.type),
               [&](unsigned row, unsigned column, unsigned at, unsigned part, unsigned lane) {
                 if (has_lane(lanes, lane)) put_sum(warp, op, sums[row][column], at, part, lane);
               });
}

void matrix_transpose(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool lost = warp.unknown.any && is_unknown(warp, op.source[0], 1);
  mark_result(warp, op, lanes, lost ? lanes : 0, 1);
  if (lost) return;
  std::array<std::array<std::uint32_t, 8>, 8> element{};
  const std::uint32_t* from = plain_source(warp, op.source[0]);
  for (unsigned i = 0; i < lane_count; ++i) {
    element[i / quad][i % quad * 2] = from[i] & 0xffffU;
    element[i / quad][i % quad * 2 + 1] = from[i] >> 16;
  }
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    const unsigned row = i / quad, column = i % quad * 2;
    if (has_lane(lanes, i)) d[i] = element[column + 1][row] << 16 | element[column][row];
  }
}

}  // namespace forewarp::execution::warp_operation
