// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "result/result.h"

namespace forewarp::report {

/// Lines of an input by the addresses of the instructions that stand there: of a listing, whose
/// result knows addresses alone.
using ListingLines = std::map<std::uint32_t, std::uint32_t>;

/// What a result says of one line of its input.
struct LineNote {
  std::string file;
  std::uint32_t line = 0, column = 1;  ///< from 1
  double share = 0;                    ///< of the warps' time
  std::string why;                     ///< "waits for device memory; 4 sectors, L1 50 %"
  std::string text;                    ///< of the line, or the instruction
};

/// By file and line: source lines where the code tells them, else lines of the listing. Lines that
/// nobody can open are left out: instructions of no line, and a listing without `lines`.
[[nodiscard]] std::vector<LineNote> line_notes(const Result& result, const ListingLines& lines);

/// One line for each line that takes at least a twentieth of the time, hottest first, as compilers
/// write them and editors read them:
///
///   k.cu:14:5: warning: 52.3 % of the time; waits for device memory [forewarp-hot]
///
/// Before them a note with the answer at the kernel's first line.
[[nodiscard]] std::string compiler_messages(const Result& result, const ListingLines& lines);

/// Every line of the kernel with its share, for a pane beside the source: the answer, then lines
/// that begin with FILE:LINE:COLUMN, which Compiler Explorer makes links to them.
///
///   k.cu:14:5:  52.3 % ##########  sum += x[i];  | waits for device memory
[[nodiscard]] std::string explorer_text(const Result& result, const ListingLines& lines);

}  // namespace forewarp::report
