// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Products of a warp group (wgmma): each of its warps makes 16 rows of the sums, from matrices in
// shared memory that descriptors name; A may lie in registers. Done at once here; how long they
// take is for timing.
#include <bit>
#include <cstring>
#include <vector>

#include "execution/state/matrix_form.h"
#include "execution/warp/block.h"
#include "execution/warp/warp_memory.h"
#include "program/tensor_map.h"

namespace forewarp::execution::warp_operation {
namespace {

constexpr std::uint32_t rows = 16, warps = 4, quad = 4, left_words = 4, unit = 16;  // unit: bytes

/// A matrix in shared memory as its descriptor says (PTX ISA, "matrix descriptor"; strides as in
/// "canonical layouts"): lines of a swizzle's width, eight of them together, their pieces of 16
/// bytes swizzled. A line runs along the depth, or across it: through the rows of A, columns of B.
class SharedMatrix {
 public:
  SharedMatrix(std::uint32_t low, std::uint32_t high, bool across)
      : start_((low & field) * unit),
        leading_((low >> 16 & field) * unit),
        stride_((high & field) * unit),
        swizzle_(swizzle_of(high >> 30)),
        across_(across) {}

  /// Of the element in a row of A or a column of B, so many bytes wide.
  [[nodiscard]] std::uint32_t place(std::uint32_t row, std::uint32_t depth,
                                    std::uint32_t bytes) const {
    constexpr std::uint32_t lines = 8;
    const std::uint32_t line = across_ ? depth : row;
    const std::uint32_t at = (across_ ? row : depth) * bytes;
    const std::uint32_t width = swizzle_ > 0 ? swizzle_ : unit;
    // Without a swizzle, a matrix across the depth has the two distances the other way round.
    const bool other = across_ && swizzle_ == 0;
    const std::uint32_t along = other ? stride_ : leading_, down = other ? leading_ : stride_;
    // Along the depth a product never leaves the width of a swizzle.
    const std::uint32_t inside = swizzle_ > 0 && !across_ ? at : at / width * along + at % width;
    return swizzled(start_ + line / lines * down + line % lines * width + inside, swizzle_);
  }

 private:
  static constexpr std::uint32_t field = 0x3fff;
  static std::uint32_t swizzle_of(std::uint32_t mode) { return mode == 0 ? 0 : 256U >> mode; }

  std::uint32_t start_, leading_, stride_, swizzle_;
  bool across_;
};

/// Rows of A or columns of B as numbers: [row][depth]. Empty where a byte is unknown or outside.
std::vector<double> rows_of(const Block& block, const SharedMatrix& matrix, std::uint32_t first,
                            std::uint32_t count, const MatrixForm& form, MatrixNumber number) {
  const std::uint32_t bytes = bits_of(number) / 8;
  std::vector<double> values;
  values.reserve(std::size_t{count} * form.depth);
  for (std::uint32_t row = first; row < first + count; ++row) {
    for (std::uint32_t depth = 0; depth < form.depth; ++depth) {
      const std::uint32_t at = matrix.place(row, depth, bytes);
      if (at + std::size_t{bytes} > block.shared.size()) return {};
      for (std::uint32_t i = 0; i < bytes && !block.shared_unknown.empty(); ++i) {
        if (block.shared_unknown[at + i] != 0) return {};
      }
      std::uint32_t bits = 0;
      std::memcpy(&bits, block.shared.data() + at, bytes);
      values.push_back(element_of(bits, 0, number));
    }
  }
  return values;
}

/// The warp's 16 rows of A in four registers: of lane 4g + q rows g and g + 8, from column q of
/// each four registers' elements on.
std::vector<double> rows_in_registers(const Warp& warp, const MicroOp& op, const MatrixForm& form) {
  const std::uint32_t each = 32 / bits_of(form.left);
  std::vector<double> values(std::size_t{rows} * form.depth);
  for (std::uint32_t i = 0; i < left_words; ++i) {
    const std::uint32_t* from = plain_source(warp, op.source[0], i);
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
      const std::uint32_t row = lane / quad + i % 2 * 8;
      const std::uint32_t first = (i / 2 * quad + lane % quad) * each;
      for (std::uint32_t part = 0; part < each; ++part) {
        values[std::size_t{row} * form.depth + first + part] =
            element_of(from[lane], part, form.left);
      }
    }
  }
  return values;
}

bool all_known(const Warp& warp, std::uint32_t cell, std::uint32_t count) {
  if (!warp.unknown.any || cell == cell::zero) return true;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (warp.unknown.cells[cell + i] != 0) return false;
  }
  return true;
}

/// The sums of one warp. Lane 4g + q has rows g and g + 8, of each eight columns 2q and 2q + 1.
class Sums {
 public:
  Sums(Warp& warp, const MicroOp& op, LaneMask lanes)
      : warp_(warp), op_(op), lanes_(lanes), narrow_(op.type == ValueType::f16) {}

  [[nodiscard]] std::uint32_t columns() const { return op_.second * (narrow_ ? 4 : 2); }

  /// f(row, column): what is added to each sum.
  template <typename F>
  void add(bool from_zero, const F& f) {
    for (std::uint32_t i = 0; i < 2 * columns() / quad; ++i) {  // sums of a lane
      const std::uint32_t at = narrow_ ? i / 2 : i, part = narrow_ ? i % 2 : 0;
      const std::uint32_t* from = plain_source(warp_, op_.source[2], begins_at_zero() ? 0 : at);
      std::uint32_t* to = destination(warp_, op_, at);
      for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        if (!has_lane(lanes_, lane)) continue;
        const std::uint32_t row = lane / quad + i / 2 % 2 * 8;
        const std::uint32_t column = i / 4 * 8 + lane % quad * 2 + i % 2;
        const double before = from_zero ? 0 : value(from[lane], part);
        put(to[lane], part, before + f(row, column));
      }
    }
  }
  [[nodiscard]] bool begins_at_zero() const { return op_.source[2].cell == cell::zero; }

 private:
  [[nodiscard]] double value(std::uint32_t word, std::uint32_t part) const {
    if (narrow_) return element_of(word, part, MatrixNumber::f16);
    return std::bit_cast<float>(word);
  }
  void put(std::uint32_t& word, std::uint32_t part, double sum) const {
    if (narrow_) {
      word = (word & 0xffff0000U >> 16 * part) | double_to_half(sum) << 16 * part;
    } else {
      word = std::bit_cast<std::uint32_t>(static_cast<float>(sum));
    }
  }

  Warp& warp_;
  const MicroOp& op_;
  LaneMask lanes_;
  bool narrow_;
};

SharedMatrix matrix_at(const Warp& warp, const Source& group, std::uint32_t word, bool across) {
  return {plain_source(warp, group, word)[0], plain_source(warp, group, word + 1)[0], across};
}

/// Empty where a value is unknown.
std::vector<double> left_rows(const Warp& warp, const MicroOp& op, const MatrixForm& form) {
  if (form.left_in_registers) {
    if (!all_known(warp, op.source[0].cell, left_words)) return {};
    return rows_in_registers(warp, op, form);
  }
  const SharedMatrix matrix = matrix_at(warp, op.source[1], 0, form.left_across);
  return rows_of(*warp.block, matrix, warp.number % warps * rows, rows, form, form.left);
}

/// Whether the values could be computed.
bool multiply(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (op.immediate == 0) return false;
  const MatrixForm form = MatrixForm::unpacked(op.immediate);
  constexpr std::uint32_t right_at = 2;  // words of the place for A's descriptor
  const std::uint32_t first = form.left_in_registers ? right_at : 0;
  if (!all_known(warp, op.source[1].cell + first, right_at + 2 - first)) return false;
  const bool from_zero = (predicate_source(warp, op, 0) & lanes) == 0;
  Sums sums(warp, op, lanes);
  if (!from_zero && !all_known(warp, op.source[2].cell, op.second)) return false;
  const auto left = left_rows(warp, op, form);
  if (left.empty()) return false;
  const auto right =
      rows_of(*warp.block, matrix_at(warp, op.source[1], right_at, form.right_across), 0,
              sums.columns(), form, form.right);
  if (right.empty()) return false;
  sums.add(from_zero || sums.begins_at_zero(), [&](std::uint32_t row, std::uint32_t column) {
    const double* a = left.data() + std::size_t{row} * form.depth;
    const double* b = right.data() + std::size_t{column} * form.depth;
    double sum = 0;
    for (std::uint32_t k = 0; k < form.depth; ++k) sum += a[k] * b[k];
    return form.negative ? -sum : sum;
  });
  return true;
}

}  // namespace

/// HGMMA D, gdesc[UR], C: A's and B's descriptors in four uniform registers. HGMMA D, A, gdesc[UR],
/// C: A in four registers, the first two uniform ones unused.
void group_product(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool known = op.destination != cell::sink && multiply(warp, op, lanes);
  mark_result(warp, op, lanes, known ? 0 : lanes, op.second);
}

}  // namespace forewarp::execution::warp_operation
