// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/gpu_code.h"

#include <algorithm>
#include <lz4.h>
#include <zstd.h>

#include "base/text.h"
#include "input/binary/byte_fields.h"
#include "input/binary/elf_file.h"
#include "input/binary/fat_binary.h"

namespace forewarp::input {
namespace {

constexpr std::uint64_t most_plain_bytes = std::uint64_t{1} << 30U;
constexpr std::string_view archive_magic = "!<arch>\n";

bool holds_fat_binaries(const ElfSection& section) {
  return section.name == ".nv_fatbin" || section.name == "__nv_relfatbin";
}

void add_code_of_object(const ElfFile& elf, std::vector<CodePart>& parts) {
  for (const ElfSection& section : elf.sections) {
    if (holds_fat_binaries(section)) add_fat_binaries(section.bytes, parts);
  }
}

// Members of an archive: a header of 60 bytes with the size in decimal at 48, then the content.
Expected<std::vector<CodePart>> code_of_archive(std::string_view file) {
  constexpr std::size_t header = 60;
  std::vector<CodePart> parts;
  std::string_view rest = file.substr(archive_magic.size());
  while (rest.size() >= header) {
    const auto size = parse_natural(trim(rest.substr(48, 10)));
    if (rest.substr(58, 2) != "`\n" || !size || *size > rest.size() - header) {
      return Diagnostic{
          "", "the archive is damaged at byte " + std::to_string(file.size() - rest.size()),
          "the header of a member that lies inside the file", ""};
    }
    const std::string_view member = rest.substr(header, *size);
    if (starts_as_elf(member)) {
      const auto elf = parse_elf(member);
      if (elf && !elf_is_gpu_code(member)) add_code_of_object(*elf, parts);
      if (elf && elf_is_gpu_code(member)) {
        parts.push_back({CodeKind::machine, elf->sm(), member, Compression::none, member.size()});
      }
    }
    rest.remove_prefix(std::min<std::uint64_t>(rest.size(), header + *size + *size % 2));
  }
  return parts;
}

Diagnostic damaged(const CodePart& part, const std::string& how) {
  return {"",
          "the compressed code of " + std::string(part.kind == CodeKind::ptx ? "compute_" : "sm_") +
              std::to_string(part.sm) + " is damaged: " + how,
          std::to_string(part.plain_bytes) + " bytes when decompressed", ""};
}

}  // namespace

Expected<std::vector<CodePart>> code_parts(std::string_view file) {
  std::vector<CodePart> parts;
  if (starts_as_fat_binary(file)) {
    if (!is_complete_fat_binary(file)) {
      return Diagnostic{"", "the fatbin is cut short", "a complete file", ""};
    }
    add_fat_binaries(file, parts);
    return parts;
  }
  if (file.starts_with(archive_magic)) return code_of_archive(file);
  const auto elf = parse_elf(file);
  if (!elf) return elf.error();
  if (elf_is_gpu_code(file)) {
    parts.push_back({CodeKind::machine, elf->sm(), file, Compression::none, file.size()});
  } else {
    add_code_of_object(*elf, parts);
  }
  return parts;
}

Expected<std::string> payload_of(const CodePart& part) {
  if (part.compression == Compression::none) return std::string(part.stored);
  if (part.plain_bytes > most_plain_bytes) return damaged(part, "it states an impossible size");
  // A block of LZ4 grows at most 255-fold, which bounds what a damaged size can ask for.
  if (part.compression == Compression::lz4 && part.plain_bytes / 256 > part.stored.size()) {
    return damaged(part, "it states an impossible size");
  }
  if (part.compression == Compression::zstd) {
    const auto stated = ZSTD_getFrameContentSize(part.stored.data(), part.stored.size());
    if (stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != part.plain_bytes) {
      return damaged(part, "its frame states another size");
    }
  }
  std::string plain(part.plain_bytes, '\0');
  if (part.compression == Compression::lz4) {
    const int size =
        LZ4_decompress_safe(part.stored.data(), plain.data(), static_cast<int>(part.stored.size()),
                            static_cast<int>(plain.size()));
    if (size < 0 || static_cast<std::size_t>(size) != plain.size()) {
      return damaged(part, "LZ4 cannot read it");
    }
    return plain;
  }
  const std::size_t size =
      ZSTD_decompress(plain.data(), plain.size(), part.stored.data(), part.stored.size());
  if (ZSTD_isError(size) != 0 || size != plain.size()) {
    return damaged(part, "Zstandard cannot read it");
  }
  return plain;
}

}  // namespace forewarp::input
