// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forewarp::hardware {

/// What a board is called, and what parts it from others of the name.
struct BoardName {
  std::string id, name;
  double memory_bytes = 0;
};

/// What people leave out or add when they name a board: brand words, blanks and dashes.
[[nodiscard]] std::string plain_name(std::string_view name);

/// The boards that a name may mean: those that have its words in a row in their own name or id ("7"
/// in "Board X 7"); of these, where the words have a figure and there are any, those that end with
/// them, so that "7" is no "Board X 7 Plus". A size of memory ("32GB") is no word of a name: it is
/// that of the board. Empty: none.
[[nodiscard]] std::vector<BoardName> boards_named(std::string_view asked,
                                                  const std::vector<BoardName>& boards);

}  // namespace forewarp::hardware
