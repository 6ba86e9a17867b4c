// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "input/sass/module_facts.h"

namespace forewarp::input {

/// Constant banks, variables and the places of their addresses, in both printed forms: the dump of
/// cuobjdump -elf (section table, symbols, words, relocations) and the directives of nvdisasm.
class ModuleSection {
 public:
  explicit ModuleSection(ModuleStore& store) : store_(store) {}

  /// Whether the text is read as a whole before any kernel is, so that all its files are needed.
  void keep_all(bool keep) { keep_ = keep; }
  /// "64bit elf: ..": another file begins.
  void begin_file(std::uint32_t sm);
  /// ".nv.constant3", ".rela.text.NAME": what the lines after this one are. Another name: nothing.
  void enter(std::string_view section);
  /// A line of the section entered; false when it is none.
  bool read(std::string_view line);
  [[nodiscard]] bool in_section_table() const { return state_ == State::section_table; }

 private:
  enum class State : std::uint8_t { none, section_table, symbols, words, relocations, directives };

  bool read_table_row(std::string_view line);
  bool read_symbol_row(std::string_view line);
  bool read_words(std::string_view line);
  bool read_relocation(std::string_view line);
  bool read_directive(std::string_view line);
  void begin_directives();
  bool read_data(std::string_view line);
  void read_item(std::string_view item, std::uint32_t size);
  void add_label(std::string_view name);
  void add_zeros(std::uint64_t count);
  void append(std::uint64_t value, std::uint32_t size);

  ModuleStore& store_;
  bool keep_ = false;
  State state_ = State::none;
  std::string section_;           ///< whose content or relocations are read
  std::uint64_t position_ = 0;    ///< bytes of the section so far, in directives
  bool stored_ = true;            ///< the section's content is kept
  bool addend_in_place_ = false;  ///< REL, not RELA
  std::unordered_map<std::uint64_t, std::string> section_names_;  ///< by index in the table
};

/// The half of an address that a relocation of this type writes; nothing for other types.
[[nodiscard]] std::optional<SymbolAddress::Part> address_part(std::string_view type);

}  // namespace forewarp::input
