// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::input {

/// The source and all files that it includes, directly or not, from its own folder, the including
/// file's or one that the compiler's options name (-I, -isystem, -include). Together with the
/// toolkit and its options this determines the compiler's result. Folders' names are left out, so
/// that a copy elsewhere has the same content.
[[nodiscard]] std::string source_with_includes(std::string_view source,
                                               const std::filesystem::path& folder,
                                               const std::vector<std::string>& options = {});

}  // namespace forewarp::input
