// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/operand_parser.h"

#include <bit>
#include <limits>

#include "input/sass/line_cursor.h"
#include "input/sass/special_registers.h"
#include "input/scan.h"
#include "program/opcode.h"

namespace forewarp::input {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Whether a name ends here: at the end, a suffix, or the end of the enclosing form.
bool ends_name(std::string_view rest) {
  if (rest.empty()) return true;
  const char c = rest.front();
  return c == '.' || c == '|' || c == '+' || c == '-' || c == ']' || c == ' ';
}

/// R7, RZ: the prefix, then a number or Z.
bool take_register(std::string_view& text, std::string_view prefix, std::uint16_t zero,
                   std::uint16_t& index) {
  std::string_view rest = text;
  if (!take(rest, prefix)) return false;
  std::uint16_t number = zero;
  if (!take(rest, 'Z') && (!take_number(rest, number) || number >= zero)) return false;
  if (!ends_name(rest)) return false;
  index = number;
  text = rest;
  return true;
}

/// P3, PT, pt.
bool take_predicate(std::string_view& text, std::string_view prefix, std::uint16_t& index) {
  std::string_view rest = text;
  if (!take(rest, prefix)) return false;
  std::uint16_t number = true_predicate;
  if (!take(rest, 'T') && (!take_number(rest, number) || number >= true_predicate)) return false;
  if (!ends_name(rest)) return false;
  index = number;
  text = rest;
  return true;
}

bool take_numbered(std::string_view& text, std::string_view prefix, std::uint16_t limit,
                   std::uint16_t& index) {
  std::string_view rest = text;
  std::uint16_t number = 0;
  if (!take(rest, prefix) || !take_number(rest, number) || number >= limit) return false;
  if (!ends_name(rest)) return false;
  index = number;
  text = rest;
  return true;
}

void apply_suffix(Operand& operand, std::string_view name) {
  if (name == "reuse")
    operand.reuse = true;
  else if (name == "64")
    operand.wide = true;
  else if (name == "CC")
    operand.writes_cc = true;
  else if (name == "U32")
    operand.unsigned_base = true;
  else if (name == "X4")
    operand.scale = 4;
  else if (name == "X8")
    operand.scale = 8;
  else if (name == "X16")
    operand.scale = 16;
  else if (name == "H0")
    operand.part = Part::h0;
  else if (name == "H1")
    operand.part = Part::h1;
  else if (name == "H0_H0")
    operand.part = Part::h0_h0;
  else if (name == "H1_H1")
    operand.part = Part::h1_h1;
  else if (name == "B0")
    operand.part = Part::b0;
  else if (name == "B1")
    operand.part = Part::b1;
  else if (name == "B2")
    operand.part = Part::b2;
  else if (name == "B3")
    operand.part = Part::b3;
}

/// ".reuse.H1"; unknown suffixes (ROW, COL) are ignored.
void take_suffixes(std::string_view& text, Operand& operand) {
  while (take(text, '|') || take(text, '.')) {
    apply_suffix(operand, take_until(text, ".|+-] "));
  }
}

std::int64_t signed_value(std::uint64_t magnitude, bool negative) {
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

/// Contents of brackets: registers and one offset, joined by +.
bool take_address(std::string_view& text, Operand& operand) {
  if (!take(text, '[')) return false;
  while (!text.empty() && text.front() != ']') {
    if (take(text, '+') || take(text, ' ')) continue;
    const bool negative = take(text, '-');
    std::uint64_t number = 0;
    if (is_digit(text.empty() ? ' ' : text.front())) {
      if (!take_integer(text, number)) return false;
      operand.value = signed_value(number, negative);
    } else if (take_register(text, "UR", zero_uniform_register, operand.uniform_base) ||
               take_register(text, "R", zero_register, operand.base)) {
      take_suffixes(text, operand);
    } else {
      return false;
    }
  }
  return take(text, ']');
}

bool parse_constant(std::string_view text, Operand& operand) {
  if (!take(text, 'c')) return false;
  const bool bindless = take(text, 'x');
  text = skip_blanks(text);
  if (!take(text, '[')) return false;
  std::uint64_t bank = 0;
  if (bindless) {
    if (!take_register(text, "UR", zero_uniform_register, operand.descriptor)) return false;
  } else {
    if (!take_integer(text, bank)) return false;
    operand.index = static_cast<std::uint16_t>(bank);
  }
  if (!take(text, ']')) return false;
  text = skip_blanks(text);
  if (!take_address(text, operand)) return false;
  take_suffixes(text, operand);
  operand.kind = OperandKind::constant;
  return true;
}

/// [R2], desc[UR4][R2.64]; a descriptor alone (gdesc[UR8], gdesc[UR8].tnspB) is an address, too.
bool parse_memory(std::string_view text, Operand& operand) {
  take(text, 'g');
  const bool described = take(text, "desc[");
  if (described) {
    if (!take_register(text, "UR", zero_uniform_register, operand.descriptor)) return false;
    if (!take(text, ']')) return false;
    take_suffixes(text, operand);
  }
  if (!(described && text.empty()) && !take_address(text, operand)) return false;
  operand.kind = OperandKind::memory;
  return true;
}

bool set_floating(Operand& operand, double value, bool negative) {
  operand.kind = OperandKind::floating;
  operand.value = std::bit_cast<std::int64_t>(negative ? -value : value);
  return true;
}

/// Hexadecimal numbers are integers, decimal ones floating-point; 2D is neither.
bool parse_number(std::string_view text, bool negative, Operand& operand) {
  if (text.starts_with("0x")) {
    std::uint64_t magnitude = 0;
    if (!take_integer(text, magnitude) || !text.empty()) return false;
    operand.kind = OperandKind::integer;
    operand.value = signed_value(magnitude, negative);
    return true;
  }
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{}) return false;
  // Of 8.NEG the number takes the point.
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (end != text.data() && end[-1] == '.') rest = text.substr(text.size() - rest.size() - 1);
  if (!rest.empty() && rest != "." && rest != ".NEG") return false;
  return set_floating(operand, value, negative != (rest == ".NEG"));
}

bool parse_named_number(std::string_view text, bool negative, Operand& operand) {
  if (text == "INF")
    return set_floating(operand, std::numeric_limits<double>::infinity(), negative);
  if (text == "QNAN" || text == "SNAN" || text == "NAN") {
    return set_floating(operand, std::numeric_limits<double>::quiet_NaN(), negative);
  }
  return false;
}

/// {1,0}: a set of scoreboards.
bool parse_set(std::string_view text, Operand& operand) {
  if (!take(text, '{')) return false;
  std::uint64_t mask = 0;
  while (!take(text, '}')) {
    std::uint32_t number = 0;
    if (!take_number(text, number) || number >= 64) return false;
    mask |= std::uint64_t{1} << number;
    take(text, ',');
    text = skip_blanks(text);
  }
  operand.kind = OperandKind::scoreboard_set;
  operand.value = static_cast<std::int64_t>(mask);
  return text.empty();
}

bool parse_condition_code(std::string_view text, Operand& operand) {
  if (!take(text, "CC") || (!text.empty() && text.front() != '.')) return false;
  operand.kind = OperandKind::condition_code;
  if (take(text, '.')) operand.value = find_modifier(text);
  return true;
}

bool parse_special(std::string_view text, Operand& operand) {
  if (!text.starts_with("SR")) return false;
  operand.kind = OperandKind::special_register;
  operand.index = static_cast<std::uint16_t>(special_register_by_name(text));
  return true;
}

bool set_kind(Operand& operand, OperandKind kind) {
  operand.kind = kind;
  return true;
}

bool parse_register_like(std::string_view& text, Operand& operand) {
  switch (text.front()) {
    case 'R':
      return take_register(text, "R", zero_register, operand.index) &&
             set_kind(operand, OperandKind::register_);
    case 'U':
      return (take_register(text, "UR", zero_uniform_register, operand.index) &&
              set_kind(operand, OperandKind::uniform_register)) ||
             (take_predicate(text, "UP", operand.index) &&
              set_kind(operand, OperandKind::uniform_predicate));
    case 'P':
      if (text == "PR") return set_kind(operand, OperandKind::predicate_set);
      return take_predicate(text, "P", operand.index) && set_kind(operand, OperandKind::predicate);
    case 'B':
      return take_numbered(text, "B", 16, operand.index) &&
             set_kind(operand, OperandKind::convergence);
    case 'S':
      return take_numbered(text, "SB", 64, operand.index) &&
             set_kind(operand, OperandKind::scoreboard);
    default:
      return false;
  }
}

/// Takes - ~ ! + and the opening | of |x|; leaves the sign of a number to the caller.
void take_prefixes(std::string_view& text, Operand& operand) {
  for (; !text.empty(); text.remove_prefix(1)) {
    switch (text.front()) {
      case '-':
        operand.negate = true;
        break;
      case '~':
      case '!':
        operand.invert = true;
        break;
      case '|':
        operand.absolute = true;
        break;
      case '+':
        break;
      default:
        return;
    }
  }
}

bool parse_atom(std::string_view text, Operand& operand) {
  switch (text.front()) {
    case '[':
      return parse_memory(text, operand);
    case 'd':
    case 'g':
      return parse_memory(text, operand);
    case 'c':
      return parse_constant(text, operand);
    case '{':
      return parse_set(text, operand);
    case 'C':
      return parse_condition_code(text, operand);
    case 'S':
      if (parse_special(text, operand)) return true;
      break;
    case 'p':
      if (text == "pt") {
        operand.index = true_predicate;
        return set_kind(operand, OperandKind::predicate);
      }
      return false;
    default:
      break;
  }
  if (is_digit(text.front()) || text.front() == '.') {
    if (!parse_number(text, operand.negate, operand)) return false;
    operand.negate = false;
    return true;
  }
  if (parse_named_number(text, operand.negate, operand)) {
    operand.negate = false;
    return true;
  }
  if (!parse_register_like(text, operand)) return false;
  take_suffixes(text, operand);
  return true;
}

}  // namespace

Operand parse_operand(std::string_view text) {
  Operand operand;
  take_prefixes(text, operand);
  if (text.empty() || text.front() == '`' || !parse_atom(text, operand)) {
    operand = Operand{};  // a word
  }
  return operand;
}

std::string_view label_name(std::string_view operand) {
  if (!take(operand, "`(") || operand.empty() || operand.back() != ')') return {};
  operand.remove_suffix(1);
  return operand;
}

}  // namespace forewarp::input
