// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/counted.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/text.h"

namespace forewarp::base {
namespace {

/// Factors that are written as a letter, the largest first; smaller numbers are written out.
constexpr std::array<std::pair<double, const char*>, 2> letters{{{1e9, " G"}, {1e6, " M"}}};

}  // namespace

std::string counted(double value, int digits) {
  for (const auto& [factor, letter] : letters) {
    if (std::fabs(value) >= factor) return significant(value / factor, digits) + letter;
  }
  std::string text = significant(value, digits);
  const std::size_t first = !text.empty() && text.front() == '-' ? 1 : 0;
  std::size_t end = text.find_first_not_of("0123456789", first);
  if (end == std::string::npos) end = text.size();
  for (std::size_t at = end; at > first + 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace forewarp::base
