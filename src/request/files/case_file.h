// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <istream>
#include <memory>
#include <string>

#include "base/expected.h"
#include "request/case.h"

namespace forewarp::request {

/// One line of a cases file, unparsed.
struct CaseText {
  std::size_t line = 0;   ///< from 1
  std::string text;       ///< without its line end
  bool too_long = false;  ///< above CaseLines::longest: the text was not kept
  bool endless = false;   ///< above CaseLines::longest_skipped: nothing after it is read
};

/// A file or pipe of cases.
Expected<std::unique_ptr<std::istream>> open_cases(const std::filesystem::path& file);

/// Reads the lines of a cases file one by one, in memory bounded by the longest line allowed.
class CaseLines {
 public:
  static constexpr std::size_t longest = std::size_t{16} << 20U;           ///< bytes
  static constexpr std::size_t longest_skipped = std::size_t{256} << 20U;  ///< bytes

  explicit CaseLines(std::istream& input) : input_(input) {}

  /// The next line that is not blank; false at the end.
  bool next(CaseText& line);

 private:
  bool next_raw(CaseText& line);
  bool fill();

  std::istream& input_;
  std::string buffer_;
  std::size_t begin_ = 0;  ///< first byte of buffer_ not yet returned in a line
  std::size_t line_ = 0;
  bool ended_ = false;  ///< a line was endless
};

/// The case of one line, or its diagnostic: a bad line never ends the file.
struct CaseLine {
  std::size_t line = 0;
  std::string id;  ///< also of a refused case, if its id could be read
  Expected<Case> parsed;
};

/// Parses one JSON object to a case, or to the diagnostic "FILE:LINE: key ..". Relative paths start
/// at the folder of `file`.
CaseLine parse_case(const CaseText& text, const std::filesystem::path& file);

}  // namespace forewarp::request
