// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/expected.h"
#include "request/files/case_file.h"

namespace forewarp::comparison {

/// The cases of two files paired by `id`, in the order of the first file.
struct CasePairs {
  struct Pair {
    Case a, b;
  };
  std::vector<Pair> pairs;
  std::vector<std::string> vanished, added;  ///< ids that only the first file has, only the second
};

/// Refuses a file that cannot be read, a line that is no case, a case without an id, and an id that
/// occurs twice in a file.
Expected<CasePairs> pair_cases(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace forewarp::comparison
