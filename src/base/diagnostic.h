// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forewarp::base {

/// Why something failed, in the one line that a user sees: "PLACE: FOUND; expected EXPECTED;
/// WAY_OUT". Empty parts are left out.
struct Diagnostic {
  std::string place;     ///< file, file:line or file:line:column, or the option's name
  std::string found;     ///< what is wrong, with the value that was found
  std::string expected;  ///< what would be right, e.g. the list of valid names
  std::string way_out;   ///< what the user can do now
  /// Options that would give what is missing, as a command line takes them: "--arg", "n=NUMBER".
  /// The way out says them already.
  std::vector<std::string> missing = {};

  bool operator==(const Diagnostic&) const = default;

  /// The one line; never contains a newline.
  [[nodiscard]] std::string line() const;
};

/// "FILE:LINE:COLUMN"; a zero line or column is left out.
[[nodiscard]] std::string place_in_file(std::string_view file, std::size_t line = 0,
                                        std::size_t column = 0);

}  // namespace forewarp::base
