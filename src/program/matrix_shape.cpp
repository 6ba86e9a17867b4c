// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/matrix_shape.h"

#include <charconv>
#include <string_view>

namespace forewarp::program {
namespace {

/// Takes the number at the head of `text`; 0 if there is none.
std::uint32_t take_number(std::string_view& text) {
  std::uint32_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{}) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

MatrixShape by_numbers(std::string_view text) {
  MatrixShape shape;
  shape.rows = take_number(text);
  if (take(text, "x")) shape.columns = take_number(text);
  if (take(text, "x")) shape.depth = take_number(text);
  return shape;
}

MatrixShape by_digits(std::string_view text) {
  MatrixShape shape;
  shape.rows = take(text, "16") ? 16 : take(text, "8") ? 8 : 0;
  shape.columns = take(text, "8") ? 8 : 0;
  shape.depth = take_number(text);
  return shape;
}

bool whole(const MatrixShape& shape) {
  return shape.rows > 0 && shape.columns > 0 && shape.depth > 0;
}

}  // namespace

std::optional<MatrixShape> matrix_shape(const Kernel& kernel, const Instruction& instruction) {
  std::string_view text = kernel.text_of(instruction);
  for (auto dot = text.find('.'); dot != text.npos; dot = text.find('.')) {
    text.remove_prefix(dot + 1);
    if (const MatrixShape shape = by_numbers(text); whole(shape)) return shape;
    if (const MatrixShape shape = by_digits(text); whole(shape)) return shape;
  }
  return std::nullopt;
}

}  // namespace forewarp::program
