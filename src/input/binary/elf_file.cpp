// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/elf_file.h"

#include "input/binary/byte_fields.h"

namespace forewarp::input {
namespace {

constexpr std::uint16_t machine_cuda = 190;
constexpr std::uint8_t abi_cuda_13 = 0x41;
constexpr std::uint32_t type_without_bytes = 8;  // SHT_NOBITS
constexpr std::size_t header_size = 64;
constexpr std::size_t section_header_size = 64;

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
  const bool wide_little = bytes[4] == 2 && bytes[5] == 1;
  if (!wide_little) {
    return Diagnostic{"", "an ELF file that is not 64-bit little-endian", "a 64-bit file", ""};
  }
  ElfFile file;
  file.abi = static_cast<std::uint8_t>(bytes[7]);
  file.flags = field<std::uint32_t>(bytes, 48);
  const auto table = field<std::uint64_t>(bytes, 40);
  const auto count = field<std::uint16_t>(bytes, 60);
  const auto names_index = field<std::uint16_t>(bytes, 62);
  const std::string_view headers =
      slice(bytes, table, static_cast<std::uint64_t>(count) * section_header_size);
  if (headers.empty() && count > 0) return cut_short();

  const auto section_bytes = [&](std::size_t index) {
    const std::string_view header = headers.substr(index * section_header_size);
    if (field<std::uint32_t>(header, 4) == type_without_bytes) return std::string_view{};
    return slice(bytes, field<std::uint64_t>(header, 24), field<std::uint64_t>(header, 32));
  };
  const std::string_view names =
      names_index < count ? section_bytes(names_index) : std::string_view{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto name = field<std::uint32_t>(headers, i * section_header_size);
    file.sections.push_back({text_at(names, name), section_bytes(i)});
  }
  return file;
}

}  // namespace forewarp::input
