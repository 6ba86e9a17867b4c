// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "report/sinks/line_notes.h"
#include "report/text_style.h"
#include "result/result.h"

namespace forewarp::report {

struct RenderOptions {
  TextStyle style;
  /// Views by name for text and markdown; empty: summary, bounds, assumptions.
  std::vector<std::string> views;
  bool csv_header = true;  ///< off when rows are appended to what is already written
  bool listing = true;     ///< JSON: the annotated listing
  bool provenance = true;  ///< JSON: the hardware numbers with their sources
  ListingLines lines;      ///< gcc, compiler-explorer: of an input that is a listing
};

/// What a report writer can be asked for: name and one sentence.
struct ReportChoice {
  std::string name, sentence;
};
[[nodiscard]] std::vector<ReportChoice> report_formats();
[[nodiscard]] std::vector<ReportChoice> report_views();

/// The whole report of one or several results, ending in a newline. Format: text, markdown, json
/// (an object, or an array when there are several), jsonl, csv, html, number (milliseconds only),
/// gcc and compiler-explorer (lines of the input). Several results as text are one table of what
/// varies, then the time. An unknown format or view is a diagnostic that lists the valid ones.
Expected<std::string> render(const std::vector<Result>& results, std::string_view format,
                             const RenderOptions& options);

/// As render, with the views of `explain`: summary, the annotated listing with its critical path,
/// stalls. Formats other than text and markdown are those of render.
Expected<std::string> render_explain(const std::vector<Result>& results, std::string_view format,
                                     const RenderOptions& options);

/// As render, with the views of `profile`: totals, loops, branches and accesses. There is no time.
Expected<std::string> render_profile(const std::vector<Result>& results, std::string_view format,
                                     const RenderOptions& options);

}  // namespace forewarp::report
