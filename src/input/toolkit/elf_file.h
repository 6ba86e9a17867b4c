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
  std::string_view bytes;  ///< empty for a section without bytes in the file
};

/// The little of a 64-bit ELF file that tells what GPU code it has. Views into the caller's bytes.
struct ElfFile {
  std::uint8_t abi = 0;     ///< EI_OSABI
  std::uint32_t flags = 0;  ///< e_flags
  std::vector<ElfSection> sections;

  /// The architecture number of a cubin, 52 for sm_52: the low byte of the flags, or the second
  /// byte from ABI 8 (CUDA 13) on.
  [[nodiscard]] std::uint32_t sm() const;
};

[[nodiscard]] bool starts_as_elf(std::string_view bytes);

/// True for a cubin (EM_CUDA); its first bytes are enough.
[[nodiscard]] bool elf_is_gpu_code(std::string_view head);

/// Every offset is checked; a cut file is refused.
Expected<ElfFile> parse_elf(std::string_view bytes);

}  // namespace forewarp::input
