// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::input {

/// A file that a compiler read, as it was then.
struct Dependency {
  std::string path;      ///< absolute, or relative to the source's folder if it lies there
  std::string identity;  ///< of its content if it lies there; else its size and time of change
  bool operator==(const Dependency&) const = default;
};

/// The files that a rule for make, as compilers write it (-MD), names; those below one of the
/// folders `left_out` and those that are not there are left out.
[[nodiscard]] std::vector<Dependency> dependencies_in(
    std::string_view rule, const std::filesystem::path& folder,
    const std::vector<std::filesystem::path>& left_out);

/// Whether all of them are as they were; `folder`: where the source is now.
[[nodiscard]] bool all_unchanged(const std::vector<Dependency>& dependencies,
                                 const std::filesystem::path& folder);

}  // namespace forewarp::input
