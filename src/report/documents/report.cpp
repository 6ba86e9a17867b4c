// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "base/text.h"
#include "report/comparison.h"
#include "report/html/page.h"
#include "report/sinks/csv_sink.h"
#include "report/sinks/markdown_sink.h"
#include "report/sinks/text_sink.h"
#include "report/view.h"
#include "result/result_json.h"

namespace forewarp::report {
namespace {

using Results = std::vector<Result>;
using report::Section;
using report::View;

const std::vector<std::string> predict_views{"summary", "bounds", "assumptions"};
const std::vector<std::string> page_views{"bounds",  "path",      "stalls",      "counterfactuals",
                                          "models",  "timeline",  "listing",     "occupancy",
                                          "profile", "execution", "assumptions", "provenance"};
const std::vector<std::string> profile_views{"profile", "execution", "assumptions"};
const std::vector<std::string> explain_views{"summary", "listing",         "path",
                                             "stalls",  "counterfactuals", "assumptions"};
bool knows_source(const Results& results) {
  return std::ranges::any_of(results, [](const Result& result) { return !result.source.empty(); });
}

/// The views of a page, or of a document whose usual ones are given. Source lines stand first on a
/// page, and elsewhere for the listing, where the code tells them.
std::vector<std::string> usual_views(const Results& results, bool page,
                                     const std::vector<std::string>& usual) {
  std::vector<std::string> names = page ? page_views : usual;
  if (!knows_source(results)) return names;
  if (page) {
    names.insert(names.begin(), "source");
  } else {
    std::ranges::replace(names, std::string("listing"), std::string("source"));
  }
  return names;
}

/// What a format makes of the sections of the views that were asked.
struct Document {
  const Results& results;
  const RenderOptions& options;
  std::vector<const View*> views;
};

struct Format {
  std::string_view name, sentence;
  std::string (*write)(const Document&);
};

using SectionWriter = std::function<std::string(const Section&)>;

/// Several results: one table of what varies, and the views of each only when they were asked for.
/// An error has nothing to show beyond its first view.
std::string write_sections(const Document& document, const SectionWriter& write) {
  std::vector<std::string> parts;
  const bool compare = document.results.size() != 1;
  if (compare) parts.push_back(write(report::comparison(document.results)));
  for (const Result& result : document.results) {
    if (compare && document.options.views.empty()) break;
    for (std::size_t i = 0; i < document.views.size() && (i == 0 || !result.error); ++i) {
      parts.push_back(write(document.views[i]->content(result)));
    }
  }
  return join(parts, "\n");
}

/// Where to look next, below a first screen.
Section more(const Document& document) {
  std::vector<std::string> others;
  for (const auto& view : report::views().entries()) {
    if (std::ranges::find(document.views, view.get()) == document.views.end()) {
      others.emplace_back(view->name());
    }
  }
  Section section;
  section.add(
      report::Note{"more: --view " + join(others, ", ") + "; --format html", report::Tone::faint});
  return section;
}

std::string write_text(const Document& document) {
  const SectionWriter write = [&](const Section& section) {
    std::string out;
    for (const std::string& line : report::text_lines(section, document.options.style)) {
      out += line + '\n';
    }
    return out;
  };
  const std::string out = write_sections(document, write);
  const bool first_screen =
      document.results.size() == 1 && !document.results[0].error && document.options.views.empty();
  return first_screen ? out + '\n' + write(more(document)) : out;
}

std::string write_markdown(const Document& document) {
  return write_sections(document, report::markdown);
}

std::string write_html(const Document& document) {
  return report::html::page(document.results, document.views);
}

JsonStyle json_style(const Document& document, bool pretty) {
  return {pretty, document.options.listing, document.options.provenance};
}

std::string write_json(const Document& document) {
  if (document.results.size() == 1) {
    return to_json(document.results.front(), json_style(document, true)) + '\n';
  }
  std::string out = "[";
  for (const Result& result : document.results) {
    out += out.size() > 1 ? ",\n" : "\n";
    out += to_json(result, json_style(document, true));
  }
  return out + (document.results.empty() ? "]\n" : "\n]\n");
}

std::string write_json_lines(const Document& document) {
  std::string out;
  for (const Result& result : document.results) {
    out += to_json(result, json_style(document, false));
    out += '\n';
  }
  return out;
}

std::string write_csv(const Document& document) {
  return report::csv(document.results, document.options.csv_header);
}

std::string write_number(const Document& document) {
  std::string out;
  for (const Result& result : document.results) {
    const bool known = !result.error && std::isfinite(result.time_ms);
    out += known ? fmt::format("{}\n", result.time_ms) : "-\n";
  }
  return out;
}

std::string write_messages(const Document& document) {
  std::string out;
  for (const Result& result : document.results) {
    out += compiler_messages(result, document.options.lines);
  }
  return out;
}

std::string write_explorer(const Document& document) {
  std::string out;
  for (const Result& result : document.results) {
    out += explorer_text(result, document.options.lines);
  }
  return out;
}

constexpr std::array<Format, 9> formats{{
    {"text", "for people, on a terminal", write_text},
    {"markdown", "tables that paste into an issue", write_markdown},
    {"json", "one object, or an array of several; schema forewarp.result/1", write_json},
    {"jsonl", "one compact object per line", write_json_lines},
    {"csv", "one row per result", write_csv},
    {"html", "one self-contained page", write_html},
    {"number", "the time in milliseconds and nothing else, a line per result", write_number},
    {"gcc", "a message for each hot line, as compilers write them, for editors", write_messages},
    {"compiler-explorer", "every line with its share, for a pane of that site", write_explorer},
}};

Expected<const Format*> find_format(std::string_view name) {
  std::vector<std::string> names;
  for (const Format& format : formats) {
    if (format.name == name) return &format;
    names.emplace_back(format.name);
  }
  return Diagnostic{"--format", "no format is named '" + std::string(name) + "'", join(names, ", "),
                    ""};
}

Expected<std::string> render_with(const Results& results, std::string_view format,
                                  const RenderOptions& options,
                                  const std::vector<std::string>& default_views) {
  const Expected<const Format*> chosen = find_format(format);
  if (!chosen) return chosen.error();
  Document document{results, options, {}};
  const bool html = (*chosen)->write == write_html;
  const std::vector<std::string> names =
      options.views.empty() ? usual_views(results, html, default_views) : options.views;
  for (const std::string& name : names) {
    const Expected<const View*> view = report::views().find(name);
    if (!view) return view.error();
    document.views.push_back(*view);
  }
  return (*chosen)->write(document);
}

}  // namespace

std::vector<ReportChoice> report_formats() {
  std::vector<ReportChoice> choices;
  for (const Format& format : formats) {
    choices.push_back({std::string(format.name), std::string(format.sentence)});
  }
  return choices;
}

std::vector<ReportChoice> report_views() {
  std::vector<ReportChoice> choices;
  for (const auto& view : report::views().entries()) {
    choices.push_back({std::string(view->name()), std::string(view->sentence())});
  }
  return choices;
}

Expected<std::string> render(const std::vector<Result>& results, std::string_view format,
                             const RenderOptions& options) {
  return render_with(results, format, options, predict_views);
}

Expected<std::string> render_explain(const std::vector<Result>& results, std::string_view format,
                                     const RenderOptions& options) {
  return render_with(results, format, options, explain_views);
}

Expected<std::string> render_profile(const std::vector<Result>& results, std::string_view format,
                                     const RenderOptions& options) {
  return render_with(results, format, options, profile_views);
}

}  // namespace forewarp::report
