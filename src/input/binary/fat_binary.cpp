// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/fat_binary.h"

#include "input/binary/byte_fields.h"

namespace forewarp::input {
namespace {

// A fat binary is a header (magic, version, header size, bytes that follow) and entries, each a
// header (kind, version, header size, bytes of payload, .., architecture at byte 28) and a payload.
// Found from files written by CUDA 11.8's fatbinary.
constexpr std::string_view magic = "\x50\xed\x55\xba";
constexpr std::uint16_t known_version = 1;
constexpr std::size_t shortest_header = 16;
constexpr std::size_t shortest_entry = 32;
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint16_t kind_machine = 2;

void read_entries(std::string_view entries, AvailableCode& code) {
  while (entries.size() >= shortest_entry) {
    const auto kind = field<std::uint16_t>(entries, 0);
    const auto header = field<std::uint32_t>(entries, 4);
    const auto payload = field<std::uint64_t>(entries, 8);
    const auto sm = field<std::uint32_t>(entries, 28);
    if (header < shortest_entry || header > entries.size()) return;
    if (kind == kind_ptx) code.ptx.push_back(sm);
    if (kind == kind_machine) code.machine.push_back(sm);
    if (payload > entries.size() - header) return;
    entries.remove_prefix(header + payload);
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

AvailableCode code_in_fat_binaries(std::string_view bytes) {
  AvailableCode code;
  for (std::size_t at = bytes.find(magic); at != std::string_view::npos;
       at = bytes.find(magic, at)) {
    const std::string_view here = bytes.substr(at);
    const auto version = field<std::uint16_t>(here, 4);
    const auto header = field<std::uint16_t>(here, 6);
    const auto size = field<std::uint64_t>(here, 8);
    at += magic.size();
    if (version != known_version || header < shortest_header || header > here.size()) continue;
    const std::string_view body = here.substr(header);
    read_entries(body.substr(0, size), code);
    if (size <= body.size()) at += header + size - magic.size();
  }
  return code;
}

}  // namespace forewarp::input
