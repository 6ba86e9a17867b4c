// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "program/module_data.h"

namespace forewarp::input {

/// What the sections of one compiled file say about the variables and constants of its kernels.
struct ModuleFacts {
  struct Symbol {
    std::string name;     ///< as in the file
    std::string section;  ///< .nv.constant3, .nv.global, .nv.global.init; .text.NAME of a kernel
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };
  struct Relocation {
    std::uint64_t offset = 0;  ///< in the section that holds the address
    std::string symbol;
    SymbolAddress::Part part = SymbolAddress::Part::whole;
    std::int64_t addend = 0;
    bool addend_in_place = false;  ///< what stands in the section is the addend
  };

  std::uint32_t sm = 0;
  std::map<std::string, std::vector<std::uint8_t>> contents;  ///< by section
  std::map<std::string, std::uint64_t> sizes;                 ///< of sections, where stated
  std::vector<Symbol> symbols;
  std::map<std::string, std::vector<Relocation>> relocations;  ///< by section that holds them

  [[nodiscard]] bool has_kernel(std::string_view mangled) const;
  /// Forgets what a section holds, when it is read again.
  void forget(const std::string& section);
};

/// What header lines say: "// constant", "// symbol".
struct StatedModule {
  std::map<std::pair<std::string, std::uint32_t>, std::vector<std::uint8_t>>
      banks;  ///< by kernel (plain or mangled; empty: every one) and number
  std::vector<ModuleSymbol> symbols;
};

/// The modules of a text. A text that is read once needs the last one alone.
class ModuleStore {
 public:
  /// The file that the lines after this one belong to. Unless `keep`, those before are forgotten.
  ModuleFacts& begin(std::uint32_t sm, bool keep);
  [[nodiscard]] ModuleFacts& current();
  /// Of a kernel: the last file that names it or else, for lack of any names, the last one.
  [[nodiscard]] const ModuleFacts* find(std::uint32_t sm, std::string_view mangled) const;

  StatedModule stated;
  /// What ".zero" directives may still write, bytes: a short line must not take much memory.
  std::uint64_t zeros_left = std::uint64_t{1} << 26U;

 private:
  struct Entry {
    ModuleFacts facts;
    bool keep = false;
  };
  std::deque<Entry> modules_;
};

}  // namespace forewarp::input
