// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::input {

enum class CodeKind : std::uint8_t { ptx, machine };
enum class Compression : std::uint8_t { none, lz4, zstd };

/// One entry of a fat binary, or a cubin that stands alone. Views into the file's bytes.
struct CodePart {
  CodeKind kind = CodeKind::machine;
  std::uint32_t sm = 0;  ///< 80 for sm_80 or compute_80
  std::string_view stored;
  Compression compression = Compression::none;
  std::uint64_t plain_bytes = 0;  ///< when decompressed
};

/// The GPU code in a cubin, fatbin, executable, object, shared library or archive, in the file's
/// order, each code of one architecture once per fat binary. Reads headers alone. Fails where the
/// file is cut short; without GPU code the list is empty.
Expected<std::vector<CodePart>> code_parts(std::string_view file);

/// A part's bytes, decompressed where they are stored compressed: an ELF file or PTX text. Fails
/// for damaged data and for more than 1 GiB.
Expected<std::string> payload_of(const CodePart& part);

}  // namespace forewarp::input
