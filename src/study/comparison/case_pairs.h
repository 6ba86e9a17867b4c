// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/expected.h"
#include "request/files/case_file.h"

namespace forewarp::study {

/// Two case files matched by `id`, in the order of the first.
struct CasePairs {
  struct Pair {
    Case a, b;
  };
  std::vector<Pair> pairs;
  std::vector<std::string> vanished, added;  ///< ids that the second file lacks, the first one
};

/// Refused: a file that cannot be read, a line that is no case, a case without an id, an id that
/// stands twice in a file.
Expected<CasePairs> pair_cases(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace forewarp::study
