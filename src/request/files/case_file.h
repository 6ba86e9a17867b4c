// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <istream>
#include <string>

#include "base/expected.h"
#include "request/case.h"

namespace forewarp::request {

/// One line of a cases file as it stands there.
struct CaseText {
  std::size_t line = 0;   ///< from 1
  std::string text;       ///< without its line end
  bool too_long = false;  ///< above CaseLines::longest: the text was not kept
  bool endless = false;   ///< above CaseLines::longest_skipped: nothing after it is read
};

/// The lines of a cases file one by one; memory is bounded by the longest line allowed.
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
  std::size_t begin_ = 0;  ///< first byte of buffer_ that no line has taken
  std::size_t line_ = 0;
  bool ended_ = false;  ///< a line did not end
};

/// What became of one line. A bad line is a diagnostic, never the end of the file.
struct CaseLine {
  std::size_t line = 0;
  std::string id;  ///< also of a refused case, where its id could be read
  Expected<Case> parsed;
};

/// One JSON object in, a case or the diagnostic "FILE:LINE: key .." out. Paths in it start at the
/// folder of `file`.
CaseLine parse_case(const CaseText& text, const std::filesystem::path& file);

}  // namespace forewarp::request
