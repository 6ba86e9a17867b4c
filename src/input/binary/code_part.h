// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

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

}  // namespace forewarp::input
