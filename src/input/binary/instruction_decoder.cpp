// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/instruction_decoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace forewarp::input {
namespace {

using Kind = EncodingTable::FieldKind;

constexpr std::string_view reuse_mark = ".reuse";

bool fits(const EncodingTable::Form& form, const InstructionWord& word) {
  return (word.low & form.mask.low) == form.match.low &&
         (word.high & form.mask.high) == form.match.high;
}

// `count` bits of a word from `first` on.
std::uint64_t bits_of(const InstructionWord& word, std::uint32_t first, std::uint32_t count) {
  std::uint64_t value = 0;
  if (first >= 64) {
    value = word.high >> (first - 64);
  } else {
    value = word.low >> first;
    if (first > 0 && first + count > 64) value |= word.high << (64 - first);
  }
  return count >= 64 ? value : value & ((std::uint64_t{1} << count) - 1);
}

std::int64_t value_of(const EncodingTable::Field& field, const InstructionWord& word) {
  auto value = static_cast<std::uint64_t>(field.constant);
  for (const EncodingTable::Run& run : field.runs) {
    const std::uint64_t part = bits_of(word, run.first, run.count) << run.power;
    value = run.negative ? value - part : value + part;
  }
  return static_cast<std::int64_t>(value);
}

// What the bits of a float are worth: those of a field are the highest of its format.
double half_value(std::uint32_t raw) {
  const double sign = (raw & 0x8000U) != 0 ? -1.0 : 1.0;
  const std::uint32_t exponent = raw >> 10U & 0x1fU;
  const std::uint32_t fraction = raw & 0x3ffU;
  if (exponent == 0x1f) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  const double mantissa = exponent == 0 ? fraction : fraction + 1024.0;
  return sign * std::ldexp(mantissa, static_cast<int>(std::max(exponent, 1U)) - 25);
}

void append_float(const EncodingTable::Field& field, const InstructionWord& word,
                  std::string& text) {
  std::uint32_t count = 0;
  std::uint64_t raw = 0;
  for (const EncodingTable::Run& run : field.runs) {
    raw |= bits_of(word, run.first, run.count) << run.power;
    count += run.count;
  }
  const std::uint32_t width = field.kind == Kind::float64   ? 64
                              : field.kind == Kind::float32 ? 32
                                                            : 16;
  if (count > 0 && count < width) raw <<= width - count;
  const double value = field.kind == Kind::float64 ? std::bit_cast<double>(raw)
                       : field.kind == Kind::float32
                           ? std::bit_cast<float>(static_cast<std::uint32_t>(raw))
                           : half_value(static_cast<std::uint32_t>(raw));
  const bool negative = (raw >> (width - 1) & 1U) != 0;
  if (std::isnan(value)) {
    text += negative ? "-QNAN" : "+QNAN";
  } else if (std::isinf(value)) {
    text += negative ? "-INF" : "+INF";
  } else if (value == 0 && negative) {
    text += "-0.0";
  } else {
    constexpr int digits = 20;
    constexpr double longest_plain = 1e9;
    std::array<char, 64> buffer{};
    const auto format = std::fabs(value) < longest_plain ? std::chars_format::general
                                                         : std::chars_format::scientific;
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, digits).ptr;
    text.append(buffer.data(), end);
  }
}

void append_number(std::int64_t value, int base, std::string& text) {
  std::array<char, 24> buffer{};
  auto magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) {
    text += '-';
    magnitude = ~magnitude + 1;
  }
  if (base == 16) text += "0x";
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, base).ptr;
  text.append(buffer.data(), end);
}

void append_named(std::string_view name, std::int64_t value, std::int64_t none,
                  std::string_view none_name, std::string& text) {
  if (value == none) {
    text += none_name;
    return;
  }
  text += name;
  append_number(value, 10, text);
}

class InstructionWriter {
 public:
  InstructionWriter(const EncodingTable& table, const EncodingTable::Form& form,
                    const InstructionWord& word, std::uint32_t address, std::string& text)
      : table_(table), form_(form), word_(word), address_(address), text_(text) {}

  // False where a part's bits are in no line of its table.
  bool write() {
    std::string_view rest = form_.text;
    while (!rest.empty()) {
      const std::size_t mark = std::min(rest.find('<'), rest.size());
      append_piece(rest.substr(0, mark));
      if (mark == rest.size()) break;
      const std::size_t end = rest.find('>', mark);
      const auto piece = piece_of(form_.parts[number_in(rest.substr(mark + 1, end - mark - 1))]);
      if (piece.data() == nullptr) return false;
      append_piece(piece);
      rest.remove_prefix(end + 1);
    }
    return true;
  }

 private:
  static std::uint32_t number_in(std::string_view text) {
    std::uint32_t number = 0;
    for (const char c : text) number = number * 10 + static_cast<std::uint32_t>(c - '0');
    return number;
  }

  void append_piece(std::string_view piece) {
    for (;;) {
      const std::size_t mark = std::min(piece.find('{'), piece.size());
      text_ += piece.substr(0, mark);
      if (mark == piece.size()) return;
      const std::size_t end = piece.find('}', mark);
      append_field(form_.fields[number_in(piece.substr(mark + 1, end - mark - 1))]);
      piece.remove_prefix(end + 1);
    }
  }

  void append_field(const EncodingTable::Field& field) {
    constexpr std::int64_t no_general = 255, no_uniform = 63, true_predicate = 7;
    switch (field.kind) {
      case Kind::general:
        append_named("R", value_of(field, word_), no_general, "RZ", text_);
        return append_reuse(field);
      case Kind::uniform:
        return append_named("UR", value_of(field, word_), no_uniform, "URZ", text_);
      case Kind::predicate:
        return append_named("P", value_of(field, word_), true_predicate, "PT", text_);
      case Kind::uniform_predicate:
        return append_named("UP", value_of(field, word_), true_predicate, "UPT", text_);
      case Kind::barrier:
        return append_named("B", value_of(field, word_), -1, "", text_);
      case Kind::scoreboard:
        return append_named("SB", value_of(field, word_), -1, "", text_);
      case Kind::number:
        return append_number(value_of(field, word_), 16, text_);
      case Kind::address:
        return append_number(value_of(field, word_) + address_, 16, text_);
      case Kind::float64:
      case Kind::float32:
      case Kind::float16:
        return append_float(field, word_, text_);
    }
  }

  void append_reuse(const EncodingTable::Field& field) {
    const std::uint64_t kind = bits_of(word_, 9, 3), operation = bits_of(word_, 0, 9);
    for (const EncodingTable::Reuse& reuse : table_.reuse) {
      const bool here =
          !field.runs.empty() && field.runs.front().first == reuse.field &&
          (reuse.kinds >> kind & 1U) != 0 &&
          (reuse.operation < 0 || operation == static_cast<std::uint64_t>(reuse.operation));
      if (here && word_.bit(reuse.mark)) text_ += reuse_mark;
    }
  }

  [[nodiscard]] bool holds(const EncodingTable::Input& input) const {
    using Condition = EncodingTable::Condition;
    if (input.condition == Condition::bit) return word_.bit(input.subject);
    const std::int64_t value = value_of(form_.fields[input.subject], word_);
    if (input.condition == Condition::equals) return value == std::int64_t{input.value};
    if (input.condition == Condition::one) return value == 1;
    return value > 1 && std::has_single_bit(static_cast<std::uint64_t>(value));
  }

  // The piece that a part's bits choose; without data where there is none.
  [[nodiscard]] std::string_view piece_of(const EncodingTable::Part& part) const {
    std::uint32_t index = 0;
    for (std::size_t i = 0; i < part.inputs.size(); ++i) {
      index |= std::uint32_t{holds(part.inputs[i])} << i;
    }
    const auto& entries = table_.tables[part.table];
    const auto found = std::lower_bound(entries.begin(), entries.end(), index,
                                        [](const EncodingTable::Entry& entry,
                                           std::uint32_t wanted) { return entry.index < wanted; });
    return found == entries.end() || found->index != index ? std::string_view() : found->piece;
  }

  const EncodingTable& table_;
  const EncodingTable::Form& form_;
  const InstructionWord& word_;
  std::uint32_t address_;
  std::string& text_;
};

// Braces in a text itself stand in a table as ` and '.
void put_braces(std::string& text, std::size_t begin) {
  if (text.find('`', begin) == std::string::npos) return;
  std::replace(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), '`', '{');
  std::replace(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), '\'', '}');
}

// The mark of a register between bars stands behind them: |R2|.reuse.
void put_marks_behind_bars(std::string& text, std::size_t begin) {
  constexpr std::string_view inside = ".reuse|", behind = "|.reuse";
  for (auto at = text.find(inside, begin); at != std::string::npos; at = text.find(inside, at)) {
    text.replace(at, inside.size(), behind);
  }
}

// Marks of reused operands count where the warp does not yield after the instruction.
bool shows_marks(const EncodingTable& table, const InstructionWord& word) {
  constexpr std::uint32_t stays_bit = 109;
  const std::uint64_t operation = bits_of(word, 0, 9);
  return word.bit(stays_bit) &&
         (operation < table.unmarked.first || operation > table.unmarked.last);
}

}  // namespace

bool append_instruction(const EncodingTable& table, const InstructionWord& stored,
                        std::uint32_t address, std::string& text) {
  const std::size_t begin = text.size();
  InstructionWord word = stored;
  constexpr std::uint64_t reuse_marks = std::uint64_t{0xf} << 58U;
  if (table.wide && !shows_marks(table, word)) word.high &= ~reuse_marks;
  for (const std::uint32_t number : table.by_key[table.key_of(word)]) {
    const EncodingTable::Form& form = table.forms[number];
    if (!fits(form, word)) continue;
    if (InstructionWriter(table, form, word, address, text).write()) {
      put_braces(text, begin);
      put_marks_behind_bars(text, begin);
      return true;
    }
    text.resize(begin);
  }
  return false;
}

}  // namespace forewarp::input
