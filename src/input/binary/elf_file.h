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
};

/// As much of a 64-bit ELF file as needed to find its GPU code. Views into the caller's bytes.
struct ElfFile {
  std::uint8_t abi = 0;     ///< EI_OSABI
  std::uint32_t flags = 0;  ///< e_flags
  std::vector<ElfSection> sections;

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
