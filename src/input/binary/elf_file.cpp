// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/elf_file.h"

#include <gelf.h>
#include <memory>

#include "input/binary/byte_fields.h"

namespace forewarp::input {
namespace {

constexpr std::uint16_t machine_cuda = 190;
constexpr std::uint8_t abi_cuda_13 = 0x41;
constexpr std::size_t header_size = 64;

std::string_view slice(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return {};
  return bytes.substr(offset, size);
}

std::string_view text_at(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size()) return {};
  const std::string_view rest = table.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

Diagnostic cut_short() {
  return {"", "the ELF file is cut short: its section table lies outside of it", "a complete file",
          ""};
}

}  // namespace

std::uint32_t ElfFile::sm() const {
  const int shift = has_new_header() ? 8 : 0;
  return (flags >> shift) & 0xff;
}

bool ElfFile::has_new_header() const {
  return abi >= abi_cuda_13;
}

bool starts_as_elf(std::string_view bytes) {
  return bytes.starts_with(
      "\x7f"
      "ELF");
}

bool elf_is_gpu_code(std::string_view head) {
  return starts_as_elf(head) && field<std::uint16_t>(head, 18) == machine_cuda;
}

Expected<ElfFile> parse_elf(std::string_view bytes) {
  if (!starts_as_elf(bytes) || bytes.size() < header_size) return cut_short();
  const bool wide_little = bytes[4] == ELFCLASS64 && bytes[5] == ELFDATA2LSB;
  if (!wide_little) {
    return Diagnostic{"", "an ELF file that is not 64-bit little-endian", "a 64-bit file", ""};
  }
  elf_version(EV_CURRENT);
  // The library takes a pointer to what it could write; it is opened for reading.
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(
      elf_memory(const_cast<char*>(bytes.data()), bytes.size()), elf_end);  // NOLINT
  GElf_Ehdr header;
  std::size_t names_index = 0;
  if (!elf || gelf_getehdr(elf.get(), &header) == nullptr) return cut_short();
  const std::uint64_t table_size = std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  if (header.e_shnum > 0 && slice(bytes, header.e_shoff, table_size).empty()) return cut_short();
  ElfFile file;
  file.abi = header.e_ident[EI_OSABI];
  file.flags = header.e_flags;
  const bool named = elf_getshdrstrndx(elf.get(), &names_index) == 0;
  std::vector<GElf_Word> names;
  for (Elf_Scn* section = elf_getscn(elf.get(), 0); section != nullptr;
       section = elf_nextscn(elf.get(), section)) {
    GElf_Shdr row;
    if (gelf_getshdr(section, &row) == nullptr) return cut_short();
    const bool stored = row.sh_type != SHT_NOBITS;
    file.sections.push_back({{},
                             stored ? slice(bytes, row.sh_offset, row.sh_size) : std::string_view(),
                             row.sh_type,
                             row.sh_flags,
                             row.sh_size,
                             row.sh_link,
                             row.sh_info});
    names.push_back(row.sh_name);
  }
  if (header.e_shnum > file.sections.size()) return cut_short();
  if (!named || names_index >= file.sections.size()) return file;
  const std::string_view table = file.sections[names_index].bytes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    file.sections[i].name = text_at(table, names[i]);
  }
  return file;
}

std::vector<ElfSymbol> ElfFile::symbols() const {
  std::vector<ElfSymbol> all;
  for (const ElfSection& section : sections) {
    if (section.type != SHT_SYMTAB || section.link >= sections.size()) continue;
    const std::string_view names = sections[section.link].bytes;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= section.bytes.size();
         at += sizeof(Elf64_Sym)) {
      const auto row = section.bytes.substr(at, sizeof(Elf64_Sym));
      all.push_back({text_at(names, field<std::uint32_t>(row, 0)), field<std::uint64_t>(row, 8),
                     field<std::uint64_t>(row, 16), field<std::uint16_t>(row, 6),
                     field<std::uint8_t>(row, 5)});
    }
    break;
  }
  return all;
}

std::vector<ElfRelocation> ElfFile::relocations(const ElfSection& section) const {
  std::vector<ElfRelocation> all;
  const bool with_addend = section.type == SHT_RELA;
  if (!with_addend && section.type != SHT_REL) return all;
  const std::size_t size = with_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
  for (std::size_t at = 0; at + size <= section.bytes.size(); at += size) {
    const auto row = section.bytes.substr(at, size);
    const auto info = field<std::uint64_t>(row, 8);
    all.push_back({field<std::uint64_t>(row, 0), static_cast<std::uint32_t>(info >> 32U),
                   static_cast<std::uint32_t>(info),
                   static_cast<std::int64_t>(field<std::uint64_t>(row, 16)), with_addend});
  }
  return all;
}

}  // namespace forewarp::input
