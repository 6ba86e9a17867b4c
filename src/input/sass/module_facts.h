// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "program/module_data.h"

namespace forewarp::input {

/// What the sections of one compiled file say about its kernels' variables and constants.
struct ModuleFacts {
  struct Symbol {
    std::string name;     ///< as in the file
    std::string section;  ///< .nv.constant3, .nv.global, .nv.global.init
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };
  struct Relocation {
    std::uint64_t offset = 0;  ///< in the section that holds the address
    std::string symbol;
    SymbolAddress::Part part = SymbolAddress::Part::whole;
    std::int64_t addend = 0;
    bool addend_in_place = false;  ///< the addend is stored where the address goes
  };

  std::uint32_t sm = 0;
  std::map<std::string, std::vector<std::uint8_t>> contents;   ///< bytes by section
  std::map<std::string, std::uint64_t> sizes;                  ///< of sections, if stated
  std::vector<Symbol> symbols;                                 ///< variables
  std::set<std::string, std::less<>> kernels;                  ///< names, as in the file
  std::map<std::string, std::vector<Relocation>> relocations;  ///< by section that contains them

  /// Drops the content of a section, for when it is read again.
  void forget(const std::string& section);
};

/// Statements of header lines: "// constant", "// symbol".
struct StatedModule {
  std::map<std::pair<std::string, std::uint32_t>, std::vector<std::uint8_t>>
      banks;  ///< by kernel (plain or mangled; empty: every one) and number
  std::vector<ModuleSymbol> symbols;
  std::map<std::string, std::size_t, std::less<>> by_name;  ///< of symbols, mangled
};

/// The modules of a text. A text that is read in one pass keeps only the last one.
class ModuleStore {
 public:
  /// Starts the file to which the following lines belong. Unless `keep`, drops those before it.
  ModuleFacts& begin(std::uint32_t sm, bool keep);
  [[nodiscard]] ModuleFacts& current();
  /// The module of a kernel: the last file that names it, or the last one if none names any kernel.
  [[nodiscard]] const ModuleFacts* find(std::uint32_t sm, std::string_view mangled) const;

  StatedModule stated;
  /// Bytes that ".zero" directives may still add, so that a short line cannot exhaust memory.
  std::uint64_t zeros_left = std::uint64_t{1} << 26U;

 private:
  struct Entry {
    ModuleFacts facts;
    bool keep = false;
  };
  std::deque<Entry> modules_;
};

}  // namespace forewarp::input
