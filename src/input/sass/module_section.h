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

/// Reads constant banks, variables and the places of their addresses, in both printed forms: the
/// dump of cuobjdump -elf (section table, symbols, words, relocations) and nvdisasm's directives.
class ModuleSection {
 public:
  explicit ModuleSection(ModuleStore& store) : store_(store) {}

  /// Whether to keep all files, for a text that is read completely before its kernels.
  void keep_all(bool keep) { keep_ = keep; }
  /// "64bit elf: ..": begins another file.
  void begin_file(std::uint32_t sm);
  /// Enters the section of the next lines: ".nv.constant3", ".rela.text.NAME"; others are ignored.
  void enter(std::string_view section);
  /// Reads a line of the current section; false if it is none.
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
  std::string section_;           ///< whose content or relocations are being read
  std::uint64_t position_ = 0;    ///< bytes of the section read so far, in directives
  bool stored_ = true;            ///< whether the section's content is kept
  bool addend_in_place_ = false;  ///< REL, not RELA
  std::unordered_map<std::uint64_t, std::string> section_names_;  ///< by index in the section table
};

/// The part of an address that a relocation of this type writes; nullopt for other types.
[[nodiscard]] std::optional<SymbolAddress::Part> address_part(std::string_view type);

}  // namespace forewarp::input
