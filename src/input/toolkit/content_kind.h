// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace forewarp::input {

/// Kind of a file, determined by its content alone.
enum class ContentKind : std::uint8_t {
  empty,
  cubin,        ///< ELF of a GPU
  fat_binary,   ///< fatbin file
  host_binary,  ///< ELF of the host: executable, object, shared library
  library,      ///< ar archive of host objects
  ptx,
  cuda_source,
  opencl_source,
  other_text,  ///< a listing, or something else to be read
  other_binary,
};

[[nodiscard]] ContentKind content_kind(std::string_view bytes);

/// For messages: "a cubin", "CUDA source".
[[nodiscard]] std::string_view name_of(ContentKind kind);

}  // namespace forewarp::input
