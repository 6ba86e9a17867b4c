// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

namespace forewarp::tests {

/// Ends the target where rows were read and there are none, or where a refusal is not one line.
template <typename Read>
void check_rows_or_one_line(const Read& read) {
  if (read) {
    if (read->empty()) std::abort();
    return;
  }
  const std::string line = read.error().line();
  if (line.empty() || line.find('\n') != std::string::npos) std::abort();
}

}  // namespace forewarp::tests
