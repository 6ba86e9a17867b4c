// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/line_table.h"

#include <cstring>
#include <elfutils/libdw.h>
#include <filesystem>
#include <libelf.h>
#include <memory>

#include "input/binary/elf_file.h"

namespace forewarp::input {
namespace {

constexpr std::uint32_t function_shift = 32;  // code of a function is shorter than 2^32 bytes
constexpr std::string_view section_name = ".debug_line";

// Each function's sequence of rows begins at an address that only a relocation gives: function k
// gets the addresses from k << 32 on. Returns the functions' names.
std::vector<std::string> place_functions(const ElfFile& elf, std::string_view cubin,
                                         std::string& copy) {
  std::vector<std::string> names;
  const std::vector<ElfSymbol> symbols = elf.symbols();
  for (const ElfSection& section : elf.sections) {
    if (!section.name.starts_with(".rel") || section.info >= elf.sections.size()) continue;
    const ElfSection& lines = elf.sections[section.info];
    if (lines.name != section_name || lines.bytes.empty()) continue;
    const auto begin = static_cast<std::size_t>(lines.bytes.data() - cubin.data());
    for (const ElfRelocation& row : elf.relocations(section)) {
      if (row.symbol >= symbols.size() || row.offset > lines.bytes.size() ||
          lines.bytes.size() - row.offset < sizeof(std::uint64_t)) {
        continue;
      }
      const std::uint64_t base = std::uint64_t{names.size()} << function_shift;
      std::memcpy(copy.data() + begin + row.offset, &base, sizeof base);
      const ElfSymbol& symbol = symbols[row.symbol];
      const bool named = !symbol.name.empty() && symbol.name.front() != '.';
      const std::string_view code =
          symbol.section < elf.sections.size() ? elf.sections[symbol.section].name : "";
      names.emplace_back(named || !code.starts_with(".text.") ? symbol.name : code.substr(6));
    }
  }
  return names;
}

}  // namespace

std::map<std::string, std::vector<LineRow>, std::less<>> line_table(std::string_view cubin) {
  std::map<std::string, std::vector<LineRow>, std::less<>> table;
  const auto elf = parse_elf(cubin);
  if (!elf) return table;
  bool stored = false;
  for (const ElfSection& section : elf->sections) stored |= section.name == section_name;
  if (!stored) return table;
  std::string copy(cubin);
  const std::vector<std::string> names = place_functions(*elf, cubin, copy);
  const std::unique_ptr<Elf, int (*)(Elf*)> file(elf_memory(copy.data(), copy.size()), elf_end);
  if (!file || names.empty()) return table;
  const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(
      dwarf_begin_elf(file.get(), DWARF_C_READ, nullptr), dwarf_end);
  if (!dwarf) return table;
  Dwarf_Off unit = 0, next = 0;
  Dwarf_CU* compiled = nullptr;
  Dwarf_Files* files = nullptr;
  Dwarf_Lines* lines = nullptr;
  std::size_t file_count = 0, line_count = 0;
  while (dwarf_next_lines(dwarf.get(), unit, &next, &compiled, &files, &file_count, &lines,
                          &line_count) == 0 &&
         next > unit) {
    for (std::size_t i = 0; i < line_count; ++i) {
      Dwarf_Line* row = dwarf_onesrcline(lines, i);
      Dwarf_Addr address = 0;
      int line = 0;
      bool ends = false;
      const char* path = row == nullptr ? nullptr : dwarf_linesrc(row, nullptr, nullptr);
      if (path == nullptr || dwarf_lineaddr(row, &address) != 0 || dwarf_lineno(row, &line) != 0 ||
          dwarf_lineendsequence(row, &ends) != 0 || ends) {
        continue;
      }
      const std::uint64_t function = address >> function_shift;
      if (function >= names.size() || line <= 0) continue;
      std::vector<LineRow>& rows = table[names[function]];
      LineRow found{address & 0xffffffffU, std::filesystem::path(path).lexically_normal().string(),
                    static_cast<std::uint32_t>(line)};
      if (!rows.empty() && rows.back().address == found.address) {
        rows.back() = std::move(found);
      } else if (rows.empty() || rows.back().address < found.address) {
        rows.push_back(std::move(found));
      }
    }
    unit = next;
  }
  return table;
}

}  // namespace forewarp::input
