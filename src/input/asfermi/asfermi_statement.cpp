// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/asfermi/asfermi_statement.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "input/sass/line_cursor.h"
#include "input/scan.h"

namespace forewarp::input {
namespace {

struct Shorthand {
  std::string_view name, meaning;
};

/// Types whose operations all take the generation's single arithmetic latency.
constexpr auto shorthands = std::to_array<Shorthand>({
    {"ADD", "IADD"},
    {"MUL", "FMUL"},
    {"MAD", "FFMA"},
    {"COS", "MUFU.COS"},
});

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Names the zero register RZ, which this generation writes as R63.
std::string with_zero_register(std::string_view operand) {
  constexpr std::string_view zero = "R63";
  std::string text(operand);
  for (std::size_t at = 0; (at = text.find(zero, at)) != std::string::npos;) {
    const std::size_t end = at + zero.size();
    const bool begins = at == 0 || !is_name_char(text[at - 1]);
    const bool ends = end == text.size() || !is_name_char(text[end]);
    if (begins && ends) text.replace(at, zero.size(), "RZ");
    ++at;
  }
  return text;
}

std::string operand_as_listed(std::string_view operand) {
  std::string_view rest = operand;
  std::string sign;
  if (take(rest, '-')) sign = "-";
  if (all_digits(rest)) {
    std::uint64_t value = 0;
    if (take_number(rest, value)) return sign + hex(value);
    return std::string(operand);
  }
  if (rest.size() > 1 && take(rest, 'F')) {
    const std::string_view digits = rest.front() == '-' ? rest.substr(1) : rest;
    if (!digits.empty() && parse_number(digits)) return sign + std::string(rest);
  }
  return with_zero_register(operand);
}

std::string operands_as_listed(std::string_view text) {
  std::string result;
  for (;;) {
    const std::string_view operand = take_until(text, ",");
    result += operand_as_listed(drop_trailing_blanks(skip_blanks(operand)));
    if (!take(text, ',')) return result;
    result += ", ";
  }
}

}  // namespace

std::string without_comments(std::string_view line, bool& inside) {
  std::string text(line);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = line.substr(i);
    if (inside || rest.starts_with("/*")) {
      const std::size_t from = inside ? i : i + 2;
      const std::size_t end = line.find("*/", from);
      inside = end == std::string_view::npos;
      const std::size_t stop = inside ? text.size() : end + 2;
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(i),
                text.begin() + static_cast<std::ptrdiff_t>(stop), ' ');
      i = stop - 1;
    } else if (rest.starts_with("//")) {
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(), ' ');
      break;
    }
  }
  return text;
}

std::string as_listed(std::string_view statement) {
  std::string_view rest = statement;
  std::string result;
  if (rest.starts_with('@')) {
    result += take_until(rest, " \t");
    const std::string_view code = skip_blanks(rest);
    result += rest.substr(0, rest.size() - code.size());
    rest = code;
  }
  const std::string_view opcode = take_until(rest, ". \t");
  const auto* found = std::find_if(shorthands.begin(), shorthands.end(),
                                   [&](const Shorthand& s) { return s.name == opcode; });
  result += found != shorthands.end() ? found->meaning : opcode;
  result += take_until(rest, " \t");
  rest = skip_blanks(rest);
  return rest.empty() ? result : result + ' ' + operands_as_listed(rest);
}

}  // namespace forewarp::input
