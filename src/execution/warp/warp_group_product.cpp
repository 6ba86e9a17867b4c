// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Products of a warp group (wgmma): each of its warps makes 16 rows of the sums, from matrices in
// shared memory that descriptors name. Done at once here; how long they take is for timing.
#include <bit>
#include <cstring>
#include <vector>

#include "execution/state/matrix_form.h"
#include "execution/warp/block.h"
#include "execution/warp/warp_memory.h"
#include "program/tensor_map.h"

namespace forewarp::execution::warp_operation {
namespace {

constexpr std::uint32_t rows = 16, warps = 4, quad = 4, unit = 16;  // unit: bytes

/// A matrix in shared memory as its descriptor says (PTX ISA, "matrix descriptor"): lines along the
/// depth, eight of them together, pieces of 16 bytes in them swizzled.
class SharedMatrix {
 public:
  SharedMatrix(std::uint32_t low, std::uint32_t high)
      : start_((low & field) * unit),
        piece_pitch_((low >> 16 & field) * unit),
        group_pitch_((high & field) * unit),
        swizzle_(swizzle_of(high >> 30)) {}

  [[nodiscard]] std::uint32_t place(std::uint32_t line, std::uint32_t byte) const {
    constexpr std::uint32_t lines = 8;
    const std::uint32_t pitch = swizzle_ > 0 ? swizzle_ : unit;
    const std::uint32_t inside = swizzle_ > 0 ? byte : byte / unit * piece_pitch_ + byte % unit;
    const std::uint32_t at = start_ + line / lines * group_pitch_ + line % lines * pitch + inside;
    return swizzled(at, swizzle_);
  }

 private:
  static constexpr std::uint32_t field = 0x3fff;
  static std::uint32_t swizzle_of(std::uint32_t mode) { return mode == 0 ? 0 : 256U >> mode; }

  std::uint32_t start_, piece_pitch_, group_pitch_, swizzle_;
};

/// Lines of a matrix as numbers: [line][depth]. Empty where a byte is unknown or outside.
std::vector<double> lines_of(const Block& block, const SharedMatrix& matrix, std::uint32_t first,
                             std::uint32_t count, const MatrixForm& form, MatrixNumber number) {
  constexpr std::uint32_t word = 4;
  const std::uint32_t each = 8 * word / bits_of(number);
  std::vector<double> values;
  values.reserve(std::size_t{count} * form.depth);
  for (std::uint32_t line = first; line < first + count; ++line) {
    for (std::uint32_t byte = 0; byte < form.depth * word / each; byte += word) {
      const std::uint32_t at = matrix.place(line, byte);
      if (at + std::size_t{word} > block.shared.size()) return {};
      for (std::uint32_t i = 0; i < word && !block.shared_unknown.empty(); ++i) {
        if (block.shared_unknown[at + i] != 0) return {};
      }
      std::uint32_t bits = 0;
      std::memcpy(&bits, block.shared.data() + at, word);
      for (std::uint32_t part = 0; part < each; ++part)
        values.push_back(element_of(bits, part, number));
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

SharedMatrix matrix_at(const Warp& warp, const Source& group, std::uint32_t word) {
  return {plain_source(warp, group, word)[0], plain_source(warp, group, word + 1)[0]};
}

/// Whether the values could be computed.
bool multiply(Warp& warp, const MicroOp& op, LaneMask lanes) {
  constexpr std::uint32_t descriptor_words = 4;
  if (op.immediate == 0 || !all_known(warp, op.source[1].cell, descriptor_words)) return false;
  const MatrixForm form = MatrixForm::unpacked(op.immediate);
  const bool from_zero = (predicate_source(warp, op, 0) & lanes) == 0;
  Sums sums(warp, op, lanes);
  if (!from_zero && !all_known(warp, op.source[2].cell, op.second)) return false;
  const std::uint32_t first = warp.number % warps * rows;
  const auto right =
      lines_of(*warp.block, matrix_at(warp, op.source[1], 2), 0, sums.columns(), form, form.right);
  if (right.empty()) return false;
  const auto left =
      lines_of(*warp.block, matrix_at(warp, op.source[1], 0), first, rows, form, form.left);
  if (left.empty()) return false;
  sums.add(from_zero || sums.begins_at_zero(), [&](std::uint32_t row, std::uint32_t column) {
    const double* a = left.data() + std::size_t{row} * form.depth;
    const double* b = right.data() + std::size_t{column} * form.depth;
    double sum = 0;
    for (std::uint32_t k = 0; k < form.depth; ++k) sum += a[k] * b[k];
    return sum;
  });
  return true;
}

}  // namespace

/// HGMMA D, gdesc[UR], C: A's and B's descriptors in four uniform registers.
void group_product(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool known = op.destination != cell::sink && multiply(warp, op, lanes);
  mark_result(warp, op, lanes, known ? 0 : lanes, op.second);
}

}  // namespace forewarp::execution::warp_operation
