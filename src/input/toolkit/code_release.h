// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forewarp::input {

/// Machine code in a file, and what made it.
struct CodeRelease {
  std::uint32_t sm = 0;
  std::string release;  ///< of the CUDA toolkit, "13.0" or "13"; empty: the file does not say
};

/// The release in what a program of the toolkit says of itself, "11.8" of "tools, release 11.8,
/// V11.8.86"; empty if there is none.
[[nodiscard]] std::string release_in(std::string_view text);

/// Whether release `a` came after `b`; false where one of them is none.
[[nodiscard]] bool newer_release(std::string_view a, std::string_view b);

/// Of the code in a cubin, fatbin, executable or library that of the newest release, among one
/// architecture's where `sm` is given. Compressed code is not seen.
[[nodiscard]] std::optional<CodeRelease> newest_code(std::string_view bytes,
                                                     std::optional<std::uint32_t> sm);

}  // namespace forewarp::input
