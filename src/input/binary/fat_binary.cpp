// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/fat_binary.h"

#include "input/binary/byte_fields.h"

namespace forewarp::input {
namespace {

// A fat binary is a header (magic, version, header size, bytes that follow) and entries, each a
// header (kind at byte 0, header size 4, stored bytes 8, of them compressed bytes 16, architecture
// 28, flags 40, plain bytes 56) and a payload.
// Found from files written by the fatbinary programs of CUDA 11.8 and 12.4.
constexpr std::string_view magic = "\x50\xed\x55\xba";
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";
constexpr std::uint16_t known_version = 1;
constexpr std::size_t shortest_header = 16;
constexpr std::size_t shortest_entry = 32;
constexpr std::size_t sized_entry = 64;  // has flags and the size when decompressed
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint16_t kind_machine = 2;
constexpr std::uint64_t flag_compressed = 0x2000;

CodePart part_of(std::string_view entry, std::uint32_t header, std::uint64_t stored) {
  CodePart part;
  part.kind = field<std::uint16_t>(entry, 0) == kind_ptx ? CodeKind::ptx : CodeKind::machine;
  part.sm = field<std::uint32_t>(entry, 28);
  part.stored = entry.substr(header, stored);
  part.plain_bytes = part.stored.size();
  const auto compressed = field<std::uint32_t>(entry, 16);
  const bool is_zstd = part.stored.starts_with(zstd_magic);
  const bool flagged = (field<std::uint64_t>(entry, 40) & flag_compressed) != 0;
  if (header < sized_entry || compressed == 0 || compressed > part.stored.size() ||
      (!flagged && !is_zstd)) {
    return part;
  }
  part.stored = part.stored.substr(0, compressed);
  part.plain_bytes = field<std::uint64_t>(entry, 56);
  part.compression = is_zstd ? Compression::zstd : Compression::lz4;
  return part;
}

void read_entries(std::string_view entries, std::vector<CodePart>& parts) {
  while (entries.size() >= shortest_entry) {
    const auto kind = field<std::uint16_t>(entries, 0);
    const auto header = field<std::uint32_t>(entries, 4);
    const auto stored = field<std::uint64_t>(entries, 8);
    if (header < shortest_entry || header > entries.size()) return;
    if (kind == kind_ptx || kind == kind_machine) parts.push_back(part_of(entries, header, stored));
    if (stored > entries.size() - header) return;
    entries.remove_prefix(header + stored);
  }
}

}  // namespace

bool starts_as_fat_binary(std::string_view bytes) {
  return bytes.starts_with(magic);
}

bool is_complete_fat_binary(std::string_view bytes) {
  const auto header = field<std::uint16_t>(bytes, 6);
  return bytes.size() >= shortest_header && header <= bytes.size() &&
         field<std::uint64_t>(bytes, 8) <= bytes.size() - header;
}

void add_fat_binaries(std::string_view bytes, std::vector<CodePart>& parts) {
  for (std::size_t at = bytes.find(magic); at != std::string_view::npos;
       at = bytes.find(magic, at)) {
    const std::string_view here = bytes.substr(at);
    const auto version = field<std::uint16_t>(here, 4);
    const auto header = field<std::uint16_t>(here, 6);
    const auto size = field<std::uint64_t>(here, 8);
    at += magic.size();
    if (version != known_version || header < shortest_header || header > here.size()) continue;
    const std::string_view body = here.substr(header);
    read_entries(body.substr(0, size), parts);
    if (size <= body.size()) at += header + size - magic.size();
  }
}

AvailableCode code_in_fat_binaries(std::string_view bytes) {
  std::vector<CodePart> parts;
  add_fat_binaries(bytes, parts);
  AvailableCode code;
  for (const CodePart& part : parts) {
    (part.kind == CodeKind::ptx ? code.ptx : code.machine).push_back(part.sm);
  }
  return code;
}

}  // namespace forewarp::input
