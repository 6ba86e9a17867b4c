// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/encoding_table.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

namespace forewarp::input {
namespace {

constexpr std::uint32_t most_tables = 1U << 16U;
constexpr std::size_t most_inputs = 31;

std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

template <typename T>
bool parse_number(std::string_view text, T& value, int base = 10) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return code == std::errc() && end == text.data() + text.size();
}

bool parse_word(std::string_view text, InstructionWord& word) {
  constexpr std::size_t half = 16;
  const std::size_t high = text.size() > half ? text.size() - half : 0;
  return parse_number(text.substr(high), word.low, 16) &&
         (high == 0 || parse_number(text.substr(0, high), word.high, 16));
}

std::optional<EncodingTable::FieldKind> field_kind(std::string_view name) {
  using Kind = EncodingTable::FieldKind;
  constexpr std::pair<std::string_view, Kind> kinds[] = {
      {"R", Kind::general},   {"U", Kind::uniform},    {"P", Kind::predicate},
      {"N", Kind::number},    {"A", Kind::address},    {"Q", Kind::uniform_predicate},
      {"B", Kind::barrier},   {"S", Kind::scoreboard}, {"f64", Kind::float64},
      {"f32", Kind::float32}, {"f16", Kind::float16}};
  for (const auto& [known, kind] : kinds) {
    if (known == name) return kind;
  }
  return {};
}

class EncodingReader {
 public:
  explicit EncodingReader(std::string_view text) : text_(text) {}

  Expected<EncodingTable> read() {
    std::uint32_t number = 0;
    while (!text_.empty()) {
      ++number;
      std::string_view line = take_part(text_, '\n');
      if (line.empty() || line.front() == '#') continue;
      const std::string_view kind = take_part(line, '\t');
      if (!read_line(kind, line)) {
        return Diagnostic{"line " + std::to_string(number) + " of an encoding",
                          "cannot read '" + std::string(kind) + "'",
                          "a line as docs/encoding.md describes it", ""};
      }
    }
    if (!consistent()) {
      return Diagnostic{"an encoding", "a form refers to a field, part or table that is not there",
                        "", ""};
    }
    index();
    return std::move(table_);
  }

 private:
  bool read_line(std::string_view kind, std::string_view rest) {
    if (kind == "i") return read_form(rest);
    if (kind == "f") return read_field(rest);
    if (kind == "p") return read_part(rest);
    if (kind == "t") return read_table(rest);
    if (kind == "bits") {
      table_.wide = rest == "128";
      return table_.wide || rest == "64";
    }
    if (kind == "reuse") return read_reuse(rest);
    if (kind == "unmarked") {
      return parse_number(take_part(rest, '\t'), table_.unmarked.first) &&
             parse_number(rest, table_.unmarked.last);
    }
    if (kind == "architectures") {
      while (!rest.empty()) {
        std::uint32_t sm = 0;
        if (!parse_number(take_part(rest, ','), sm)) return false;
        table_.architectures.push_back(sm);
      }
      return true;
    }
    return kind == "encoding" ? rest == "1" : kind == "source";
  }

  bool read_reuse(std::string_view rest) {
    while (!rest.empty()) {
      std::string_view pair = take_part(rest, ',');
      EncodingTable::Reuse reuse;
      if (!parse_number(take_part(pair, ':'), reuse.field) ||
          !parse_number(take_part(pair, ':'), reuse.mark) || reuse.mark >= 128) {
        return false;
      }
      const std::string_view kinds = take_part(pair, ':');
      if (!pair.empty() && !parse_number(pair, reuse.operation)) return false;
      if (!kinds.empty()) reuse.kinds = 0;
      for (const char kind : kinds) {
        if (kind < '0' || kind > '7') return false;
        reuse.kinds = static_cast<std::uint8_t>(reuse.kinds | 1U << (kind - '0'));
      }
      table_.reuse.push_back(reuse);
    }
    return true;
  }

  bool read_form(std::string_view rest) {
    EncodingTable::Form form;
    const bool read = parse_word(take_part(rest, '\t'), form.mask) &&
                      parse_word(take_part(rest, '\t'), form.match);
    form.text = rest;
    table_.forms.push_back(std::move(form));
    return read;
  }

  bool read_field(std::string_view rest) {
    if (table_.forms.empty()) return false;
    EncodingTable::Field field;
    const auto kind = field_kind(take_part(rest, '\t'));
    if (!kind) return false;
    field.kind = *kind;
    std::string_view runs = take_part(rest, '\t');
    while (!runs.empty()) {
      std::string_view text = take_part(runs, ',');
      EncodingTable::Run run;
      const bool placed = parse_number(take_part(text, ':'), run.first) &&
                          parse_number(take_part(text, ':'), run.count);
      run.negative = text.starts_with('-');
      if (run.negative) text.remove_prefix(1);
      if (!placed || !parse_number(text, run.power)) return false;
      if (run.first + run.count > 128 || run.power + run.count > 64) return false;
      field.runs.push_back(run);
    }
    if (!rest.empty() && !parse_number(rest, field.constant)) return false;
    table_.forms.back().fields.push_back(std::move(field));
    return true;
  }

  bool read_part(std::string_view rest) {
    if (table_.forms.empty()) return false;
    EncodingTable::Part part;
    std::string_view inputs = take_part(rest, '\t');
    while (!inputs.empty()) {
      std::string_view text = take_part(inputs, ',');
      EncodingTable::Input input;
      if (text.starts_with('b')) {
        if (!parse_number(text.substr(1), input.subject) || input.subject >= 128) return false;
      } else {
        if (!parse_number(take_part(text, '='), input.subject)) return false;
        input.condition = text == "one"     ? EncodingTable::Condition::one
                          : text == "power" ? EncodingTable::Condition::power
                                            : EncodingTable::Condition::equals;
        const bool named = input.condition != EncodingTable::Condition::equals;
        if (!named && !parse_number(text, input.value)) return false;
      }
      part.inputs.push_back(input);
    }
    if (!parse_number(rest, part.table) || part.inputs.size() > most_inputs) return false;
    table_.forms.back().parts.push_back(std::move(part));
    return true;
  }

  bool read_table(std::string_view rest) {
    std::uint32_t number = 0;
    if (!parse_number(take_part(rest, '\t'), number) || number >= most_tables) return false;
    if (table_.tables.size() <= number) table_.tables.resize(number + 1);
    auto& entries = table_.tables[number];
    while (!rest.empty()) {
      std::string_view text = take_part(rest, '\t');
      EncodingTable::Entry entry;
      if (!parse_number(take_part(text, '='), entry.index, 16)) return false;
      entry.piece = text;
      if (!entries.empty() && entries.back().index >= entry.index) return false;
      entries.push_back(entry);
    }
    return true;
  }

  // Whether every "{k}" of a text is a field of the form, and every "<k>" one of its parts.
  static bool refers(std::string_view text, const EncodingTable::Form& form, bool parts) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const bool field = text[at] == '{';
      if (!field && (!parts || text[at] != '<')) continue;
      const std::size_t end = text.find(field ? '}' : '>', at);
      std::uint32_t number = 0;
      if (end == text.npos || !parse_number(text.substr(at + 1, end - at - 1), number))
        return false;
      if (number >= (field ? form.fields.size() : form.parts.size())) return false;
    }
    return true;
  }

  [[nodiscard]] bool consistent() const {
    for (const auto& form : table_.forms) {
      if (!refers(form.text, form, true)) return false;
      for (const auto& part : form.parts) {
        if (part.table >= table_.tables.size()) return false;
        for (const auto& input : part.inputs) {
          const bool bit = input.condition == EncodingTable::Condition::bit;
          if (!bit && input.subject >= form.fields.size()) return false;
        }
        for (const auto& entry : table_.tables[part.table]) {
          if (!refers(entry.piece, form, false)) return false;
        }
      }
    }
    return true;
  }

  void index() {
    for (std::uint32_t i = 0; i < table_.forms.size(); ++i) {
      const std::uint32_t mask = table_.key_of(table_.forms[i].mask);
      const std::uint32_t match = table_.key_of(table_.forms[i].match) & mask;
      const std::uint32_t free = ~mask & 0xfffU;
      // Every subset of the free bits.
      for (std::uint32_t bits = free;; bits = (bits - 1) & free) {
        table_.by_key[match | bits].push_back(i);
        if (bits == 0) break;
      }
    }
  }

  std::string_view text_;
  EncodingTable table_;
};

}  // namespace

Expected<EncodingTable> read_encoding(std::string_view text) {
  return EncodingReader(text).read();
}

}  // namespace forewarp::input
