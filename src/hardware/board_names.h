// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forewarp::hardware {

/// A board's name, and what distinguishes it from others of that name.
struct BoardName {
  std::string id, name;
  double memory_bytes = 0;
};

/// A name without the parts that users vary: brand words, blanks and dashes.
[[nodiscard]] std::string plain_name(std::string_view name);

/// The boards that a name may refer to: those with its words consecutively in their name or id ("7"
/// in "Board X 7"). If the words contain a digit and some boards end with them, only those, so that
/// "7" is not "Board X 7 Plus". A memory size ("32GB") is not part of the name: the board must have
/// it. Empty: none.
[[nodiscard]] std::vector<BoardName> boards_named(std::string_view asked,
                                                  const std::vector<BoardName>& boards);

}  // namespace forewarp::hardware
