// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace forewarp::input {

/// The source and every file that it includes, directly or not, from its own folder or the
/// including file's: what decides, with the toolkit and its options, what the compiler makes of it.
/// Names of folders are no part, so that a copy elsewhere has the same content.
[[nodiscard]] std::string source_with_includes(std::string_view source,
                                               const std::filesystem::path& folder);

}  // namespace forewarp::input
