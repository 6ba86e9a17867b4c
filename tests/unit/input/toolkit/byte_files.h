// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::tests {

template <typename T>
void put(std::string& bytes, std::size_t at, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes.at(at + i) = static_cast<char>((value >> (8 * i)) & 0xff);
  }
}

/// A 64-bit ELF file with the sections "", `section` (holding `payload`) and .shstrtab.
inline std::string elf_bytes(std::uint16_t machine, std::uint8_t abi, std::uint32_t flags,
                             const std::string& payload = "",
                             const std::string& section_name = ".nv_fatbin") {
  const std::string names = '\0' + section_name + '\0' + ".shstrtab" + '\0';
  const std::size_t table = 64 + payload.size() + names.size();
  std::string bytes =
      "\x7f"
      "ELF\2\1\1";
  bytes += static_cast<char>(abi);
  bytes.resize(64, '\0');
  bytes += payload + names;
  bytes.resize(table + 3 * 64, '\0');
  put<std::uint16_t>(bytes, 18, machine);
  put<std::uint64_t>(bytes, 40, table);
  put<std::uint32_t>(bytes, 48, flags);
  put<std::uint16_t>(bytes, 58, 64);
  put<std::uint16_t>(bytes, 60, 3);
  put<std::uint16_t>(bytes, 62, 2);
  const auto section = [&](std::size_t index, std::uint32_t name, std::size_t offset,
                           std::size_t size) {
    put<std::uint32_t>(bytes, table + index * 64, name);
    put<std::uint64_t>(bytes, table + index * 64 + 24, offset);
    put<std::uint64_t>(bytes, table + index * 64 + 32, size);
  };
  section(1, 1, 64, payload.size());
  section(2, static_cast<std::uint32_t>(section_name.size() + 2), 64 + payload.size(),
          names.size());
  return bytes;
}

/// A fat binary with entries of {kind, architecture}: 2 for machine code, 1 for PTX.
inline std::string fat_binary_bytes(
    const std::vector<std::pair<std::uint16_t, std::uint32_t>>& entries) {
  constexpr std::size_t header = 64;
  constexpr std::size_t payload = 24;
  std::string bytes(16 + entries.size() * (header + payload), '\0');
  put<std::uint32_t>(bytes, 0, 0xba55ed50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  put<std::uint64_t>(bytes, 8, bytes.size() - 16);
  std::size_t at = 16;
  for (const auto& [kind, sm] : entries) {
    put<std::uint16_t>(bytes, at, kind);
    put<std::uint32_t>(bytes, at + 4, header);
    put<std::uint64_t>(bytes, at + 8, payload);
    put<std::uint32_t>(bytes, at + 28, sm);
    at += header + payload;
  }
  return bytes;
}

}  // namespace forewarp::tests
