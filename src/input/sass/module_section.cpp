// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/module_section.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "input/sass/line_cursor.h"
#include "input/scan.h"

namespace forewarp::input {
namespace {

constexpr std::string_view constant_prefix = ".nv.constant";
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40U;  // no module is larger

/// Bank 0 is excluded: the launch fills it, and the file holds only zeros.
bool is_bank(std::string_view section) {
  if (!take(section, constant_prefix)) return false;
  std::uint32_t number = 0;
  return take_number(section, number) && number != 0 && (section.empty() || section[0] == '.');
}

bool holds_variables(std::string_view section) {
  return is_bank(section) || section == ".nv.global" || section == ".nv.global.init";
}

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/// The next blank-separated word; empty at the end.
std::string_view next_word(std::string_view& line) {
  line = skip_blanks(line);
  return take_until(line, " \t");
}

/// A whole word as a number: 0x1a, or 1a if `base` is 16.
bool parse_word(std::string_view word, std::uint64_t& value, int base = 10) {
  const bool read = base == 16 && !word.starts_with("0x") ? take_number(word, value, 16)
                                                          : take_integer(word, value);
  return read && word.empty();
}

}  // namespace

std::optional<SymbolAddress::Part> address_part(std::string_view type) {
  using Part = SymbolAddress::Part;
  if (!take(type, "R_CUDA_")) return std::nullopt;
  if (!take(type, "ABS")) take(type, "G");
  // The latter two: the target of a call.
  if (type == "64" || type == "47_34" || type == "55_16_34") return Part::whole;
  if (!take(type, "32")) return std::nullopt;
  return type.starts_with("_HI") ? Part::high : Part::low;
}

void ModuleSection::begin_file(std::uint32_t sm) {
  store_.begin(sm, keep_);
  section_names_.clear();
  enter({});
}

void ModuleSection::enter(std::string_view section) {
  if (state_ == State::directives) add_label({});
  state_ = State::none;
  position_ = 0;
  const std::string_view name = next_word(section);
  if (name == ".symtab") {
    state_ = State::symbols;
  } else if (name.starts_with(".rel.") || name.starts_with(".rela.")) {
    addend_in_place_ = !name.starts_with(".rela");
    section_ = name.substr(addend_in_place_ ? 4 : 5);
    if (holds_variables(section_) || section_.starts_with(".text.") ||
        section_.starts_with(".nv.constant0."))
      state_ = State::relocations;
  } else if (holds_variables(name)) {
    section_ = name;
    state_ = State::words;
    stored_ = true;
    store_.current().contents.erase(section_);
  }
}

bool ModuleSection::read(std::string_view line) {
  if (line.starts_with("Index Offset ")) {
    enter({});
    state_ = State::section_table;
    return true;
  }
  switch (state_) {
    case State::none:
      return false;
    case State::section_table:
      return read_table_row(line);
    case State::symbols:
      return line.starts_with("index ") || read_symbol_row(line);
    case State::words:
    case State::directives:
      return line.starts_with("0x") ? read_words(line) : read_directive(line);
    case State::relocations:
      return read_relocation(line);
  }
  return false;
}

/// Columns: Index Offset Size ES Align Type Flags Link Info Name; numbers are hexadecimal.
bool ModuleSection::read_table_row(std::string_view line) {
  if (!is_hex_digit(line.front())) {
    state_ = State::none;
    return false;
  }
  std::uint64_t index = 0;
  std::uint64_t size = 0;
  const std::size_t blank = line.find_last_of(" \t");
  if (blank == std::string_view::npos) return true;
  const std::string_view name = line.substr(blank + 1);
  const bool indexed = parse_word(next_word(line), index, 16);
  next_word(line);
  if (!indexed || !parse_word(next_word(line), size, 16)) return true;
  if (!holds_variables(name) && !name.starts_with(".text.")) return true;
  section_names_[index] = name;
  store_.current().sizes[std::string(name)] = size;
  return true;
}

/// Columns: index value size info other shndx name.
bool ModuleSection::read_symbol_row(std::string_view line) {
  std::array<std::uint64_t, 6> columns{};
  for (std::uint64_t& column : columns) {
    if (parse_word(next_word(line), column)) continue;
    state_ = State::none;
    return false;
  }
  const std::string_view name = next_word(line);
  const auto section = section_names_.find(columns[5]);
  if (section == section_names_.end() || name.empty() || name.front() == '.') return true;
  const bool module_wide = section->second.find('.', constant_prefix.size()) == std::string::npos;
  if (is_bank(section->second) && !module_wide) return true;  // the compiler's own constants
  if (columns[1] > most_bytes || columns[2] > most_bytes) return true;
  if (section->second.starts_with(".text.")) {
    store_.current().kernels.emplace(name);
    return true;
  }
  store_.current().symbols.push_back({std::string(name), section->second, columns[1], columns[2]});
  return true;
}

/// 0x00000000 0x0a: as many bytes as a word has pairs of digits, lowest first.
bool ModuleSection::read_words(std::string_view line) {
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    std::uint64_t value = 0;
    const std::size_t digits = word.size() - std::min<std::size_t>(2, word.size());
    if (!parse_word(word, value) || digits % 2 != 0 || digits > 16) return true;
    append(value, static_cast<std::uint32_t>(digits / 2));
  }
  return true;
}

/// Reads a relocation: 0x38 grid_data R_CUDA_G64 0xc.
bool ModuleSection::read_relocation(std::string_view line) {
  ModuleFacts::Relocation relocation;
  if (!parse_word(next_word(line), relocation.offset)) {
    state_ = State::none;
    return false;
  }
  relocation.symbol = next_word(line);
  const std::string_view type = next_word(line);
  // Of bank 0 only the handles of textures that code names count.
  const bool texture = type == "R_CUDA_TEX_HEADER_INDEX" || type == "R_CUDA_SURF_HEADER_INDEX";
  if (texture != section_.starts_with(".nv.constant0.")) return true;
  const auto part = texture ? SymbolAddress::Part::low : address_part(type);
  if (!part) return true;
  relocation.part = *part;
  std::uint64_t addend = 0;
  parse_word(next_word(line), addend);
  relocation.addend = static_cast<std::int64_t>(addend);
  relocation.addend_in_place = addend_in_place_;
  if (relocation.offset <= most_bytes)
    store_.current().relocations[section_].push_back(std::move(relocation));
  return true;
}

/// Reads directives and labels as nvdisasm prints them.
bool ModuleSection::read_directive(std::string_view line) {
  const bool one_word = line.find_first_of(" \t") == std::string_view::npos;
  const bool label = one_word && line.back() == ':';
  const bool other_section = line.starts_with(".section ") || line.starts_with(".section\t");
  const bool directive = line.front() == '.' && !one_word && !other_section;
  if (line.starts_with("//")) return false;
  if (!label && !directive && !line.starts_with("/*")) {
    enter({});
    return false;
  }
  if (state_ == State::words) begin_directives();
  if (label) {
    add_label(line.substr(0, line.size() - 1));
  } else if (take(line, ".zero")) {
    std::uint64_t count = 0;
    if (parse_word(next_word(line), count)) add_zeros(count);
  }
  return directive || label || read_data(line);
}

/// Reads /*0024*/ .byte 0x01, 0x00: one or more items.
bool ModuleSection::read_data(std::string_view line) {
  const std::size_t end = line.find("*/");
  if (end == std::string_view::npos) return false;
  line.remove_prefix(end + 2);
  const std::string_view directive = next_word(line);
  constexpr auto sizes = std::to_array<std::pair<std::string_view, std::uint32_t>>(
      {{".byte", 1}, {".short", 2}, {".word", 4}, {".dword", 8}, {".quad", 8}});
  const auto* size =
      std::find_if(sizes.begin(), sizes.end(), [&](const auto& s) { return s.first == directive; });
  if (size == sizes.end()) return false;
  for (const std::string_view item : split(line, ',')) read_item(trim(item), size->second);
  return true;
}

/// Reads an item: 0x07, grid_data, (grid_data + 0xc) or fun@R_CUDA_G64((grid_data + 0xc)).
void ModuleSection::read_item(std::string_view item, std::uint32_t size) {
  std::uint64_t value = 0;
  if (parse_word(item, value)) return append(value, size);
  ModuleFacts::Relocation relocation;
  relocation.offset = position_;
  relocation.part = size == 8 ? SymbolAddress::Part::whole : SymbolAddress::Part::low;
  append(0, size);
  if (size < 4) return;
  if (take(item, "fun@")) {
    relocation.part = address_part(take_until(item, "(")).value_or(relocation.part);
    take(item, '(');
  }
  while (take(item, '(')) continue;
  relocation.symbol = take_until(item, " +)");
  item = skip_blanks(item);
  if (take(item, '+')) {
    item = skip_blanks(item);
    std::uint64_t addend = 0;
    if (take_integer(item, addend)) relocation.addend = static_cast<std::int64_t>(addend);
  }
  store_.current().relocations[section_].push_back(std::move(relocation));
}

/// Directives give variables by labels, so a section that is read again defines them anew.
void ModuleSection::begin_directives() {
  store_.current().forget(section_);
  state_ = State::directives;
  position_ = 0;
}

/// A label ends the variable before it, and begins one unless the name is the disassembler's own.
void ModuleSection::add_label(std::string_view name) {
  std::vector<ModuleFacts::Symbol>& symbols = store_.current().symbols;
  if (name.starts_with(".nv.")) return;
  if (!symbols.empty() && symbols.back().section == section_ && symbols.back().size == 0 &&
      symbols.back().offset < position_) {
    symbols.back().size = position_ - symbols.back().offset;
  }
  const bool module_wide = section_.find('.', constant_prefix.size()) == std::string::npos;
  if (name.empty() || name.front() == '.' || (is_bank(section_) && !module_wide)) return;
  symbols.push_back({std::string(name), section_, position_, 0});
}

void ModuleSection::add_zeros(std::uint64_t count) {
  if (count > most_bytes - position_) return;
  position_ += count;
  ModuleFacts& facts = store_.current();
  std::uint64_t& size = facts.sizes[section_];
  size = std::max(size, position_);
  if (section_ == ".nv.global") return;
  if (stored_ && count <= store_.zeros_left) {
    store_.zeros_left -= count;
    facts.contents[section_].resize(position_);
  } else {
    facts.contents.erase(section_);
    stored_ = false;
  }
}

void ModuleSection::append(std::uint64_t value, std::uint32_t size) {
  ModuleFacts& facts = store_.current();
  position_ += size;
  if (stored_) {
    std::vector<std::uint8_t>& bytes = facts.contents[section_];
    for (std::uint32_t i = 0; i < size; ++i) {
      bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
  }
  std::uint64_t& known_size = facts.sizes[section_];
  known_size = std::max(known_size, position_);
}

}  // namespace forewarp::input
