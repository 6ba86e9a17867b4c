// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/content.h"
#include "report/text_style.h"

namespace forewarp::report {

/// A section as lines for a terminal. Control characters of the input are replaced, so a kernel's
/// name cannot drive the terminal.
///
///   title                                                        aside
///     label       value   note
///     column  column  ####----
[[nodiscard]] std::vector<std::string> text_lines(const Section& section, const TextStyle& style);

/// `text` broken at blanks into lines of at most `width` columns (a longer word stands alone).
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace forewarp::report
