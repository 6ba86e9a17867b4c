// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace forewarp::cli {

/// The newest architecture of a listing whose code runs on `sm`: itself, or an older one of the
/// same generation; 0: none does.
[[nodiscard]] std::uint32_t listed_architecture(std::string_view listing, std::uint32_t sm);

/// What a test's code is read from.
struct CodeFile {
  std::filesystem::path file;
  std::uint32_t sm = 0;  ///< of its code that is meant
  bool listing = false;  ///< else a source, which a toolkit compiles
};

/// The listing beside the source where it has code for the architecture, else the source itself.
[[nodiscard]] CodeFile code_file(const std::filesystem::path& source, std::uint32_t sm);

}  // namespace forewarp::cli
