// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace forewarp::tests {

/// The code of a kernel of sm_80, an instruction every 16 bytes.
inline std::string listing_of(const std::vector<std::string>& code) {
  std::string text = "\tcode for sm_80\n\t\tFunction : k\n";
  for (std::size_t i = 0; i < code.size(); ++i) {
    std::array<char, 32> at{};
    std::snprintf(at.data(), at.size(), "        /*%04zx*/ ", 16 * i);
    text += at.data() + code[i] + " ;\n";
  }
  return text;
}

}  // namespace forewarp::tests
