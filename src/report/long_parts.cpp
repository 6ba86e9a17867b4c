// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/long_parts.h"

#include <algorithm>

#include "base/text.h"

namespace forewarp::report {
namespace {

constexpr std::size_t longest = 24;  ///< characters of a part that stays

/// One past the parenthesis that closes the one at `open`; npos: none does.
std::size_t end_of_part(std::string_view formula, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < formula.size(); ++i) {
    if (formula[i] == '(') ++depth;
    if (formula[i] == ')' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace

std::string LongParts::shortened(std::string_view formula) {
  std::string text;
  for (std::size_t at = 0; at < formula.size();) {
    const std::size_t end = formula[at] == '(' ? end_of_part(formula, at) : std::string_view::npos;
    if (end == std::string_view::npos || end - at <= longest) {
      text += formula[at++];
      continue;
    }
    const std::string part(formula.substr(at + 1, end - at - 2));
    auto known = std::ranges::find(parts_, part);
    if (known == parts_.end()) known = parts_.insert(parts_.end(), part);
    text += "p" + std::to_string(known - parts_.begin() + 1);
    at = end;
  }
  return text;
}

std::string LongParts::legend() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    texts.push_back("p" + std::to_string(i + 1) + " = " + parts_[i]);
  }
  return join(texts, ", ");
}

}  // namespace forewarp::report
