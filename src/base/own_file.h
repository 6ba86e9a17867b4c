// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace forewarp::base {

/// The program that this code is part of, or the shared object: as a module of another language it
/// is the module and not that language's interpreter. Empty where the system does not tell.
[[nodiscard]] std::filesystem::path own_file();

/// own_file(), and in a build of shared layers the files of all of them: what this program is.
[[nodiscard]] std::vector<std::filesystem::path> own_files();

}  // namespace forewarp::base
