// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::input {

struct ElfSection {
  std::string_view name;
  std::string_view bytes;  ///< empty if the file holds none for the section
  std::uint32_t type = 0;  ///< SHT_..
  std::uint64_t flags = 0, size = 0;
  std::uint32_t link = 0, info = 0;
};

struct ElfSymbol {
  std::string_view name;
  std::uint64_t value = 0, size = 0;
  std::uint16_t section = 0;  ///< index; 0: defined elsewhere
  std::uint8_t other = 0;     ///< st_other
};

struct ElfRelocation {
  std::uint64_t offset = 0;
  std::uint32_t symbol = 0;  ///< index
  std::uint32_t type = 0;
  std::int64_t addend = 0;
  bool has_addend = false;  ///< false: it stands at the place
};

/// A 64-bit ELF file, of the host or a cubin. Views into the caller's bytes.
struct ElfFile {
  std::uint8_t abi = 0;              ///< EI_OSABI
  std::uint32_t flags = 0;           ///< e_flags
  std::vector<ElfSection> sections;  ///< by index; the first is empty

  /// Of the file's one symbol table.
  [[nodiscard]] std::vector<ElfSymbol> symbols() const;
  /// Of one section of type SHT_REL or SHT_RELA; none of others.
  [[nodiscard]] std::vector<ElfRelocation> relocations(const ElfSection& section) const;

  /// The architecture of a cubin, 52 for sm_52: the low byte of the flags, or from ABI 8 (CUDA 13)
  /// on the second byte.
  [[nodiscard]] std::uint32_t sm() const;
  /// Whether a cubin has the header that CUDA 13 began with.
  [[nodiscard]] bool has_new_header() const;
};

[[nodiscard]] bool starts_as_elf(std::string_view bytes);

/// Whether it is a cubin (EM_CUDA); the first bytes suffice.
[[nodiscard]] bool elf_is_gpu_code(std::string_view head);

/// Checks every offset; fails for truncated files.
Expected<ElfFile> parse_elf(std::string_view bytes);

}  // namespace forewarp::input
