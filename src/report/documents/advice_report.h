// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/expected.h"
#include "report/text_style.h"
#include "result/advice.h"

namespace forewarp::report {

/// Edits that gain, with their reasons. Formats: text, markdown, json (schema forewarp.advice/1),
/// csv (a row for each edit). `all`: also those that were tried and do not gain; JSON and CSV have
/// them always. An unknown format is a diagnostic that lists them.
///
///   row_sums on Board X: 2 edits gain                                     sums.cu
///       gain  time      sure   where      edit
///     1 3.1x  400.0 us  clear  sums.cu:9  let neighbouring threads access neighbouring elements
Expected<std::string> render_advice(const Advice& advice, std::string_view format, bool all,
                                    const TextStyle& style);

}  // namespace forewarp::report
