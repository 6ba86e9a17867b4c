// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/validation_report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "report/html/markup.h"
#include "report/html/page.h"
#include "report/html/scatter_plot.h"
#include "report/phrases.h"
#include "report/quantity.h"
#include "report/view.h"

namespace forewarp::report {
namespace {

using namespace report;

constexpr std::size_t most_worst = 20;
constexpr std::size_t most_kernels = 12;  // with a line of their own

const std::vector<std::string>& views_of_worst() {
  static const std::vector<std::string> names{"bounds", "stalls", "profile", "execution",
                                              "assumptions"};
  return names;
}

std::string share(double value) {
  return std::isfinite(value) ? fmt::format("{:.1f} %", 100 * value) : "-";
}

std::string plain(double value) {
  return std::isfinite(value) ? fmt::format("{:.3f}", value) : "-";
}

std::vector<Column> score_columns() {
  std::vector<Column> columns;
  for (const char* title : {"points", "refused", "MAPE", "bias", "p/t", "p90", "worst", "scaled",
                            "rho", "tau", "top-1", "top-5", "top-10", "inside", "width"}) {
    columns.push_back({title, Align::right, ""});
  }
  return columns;
}

std::vector<std::string> score_cells(const ScoreLine& line) {
  const Scores& s = line.scores;
  std::vector<std::string> cells{number(static_cast<double>(s.points)),
                                 number(static_cast<double>(line.refused))};
  if (s.points == 0) {
    cells.resize(score_columns().size(), "-");
    return cells;
  }
  for (const std::string& cell :
       {share(s.mape), share(s.bias), plain(s.ratio), share(s.p90), share(s.worst),
        share(s.scaled_mape), plain(s.spearman), plain(s.kendall), share(s.regret_1),
        share(s.regret_5), share(s.regret_10), share(s.coverage), share(s.width)}) {
    cells.push_back(cell);
  }
  return cells;
}

void add_row(Table& table, std::vector<std::string> names, const ScoreLine& line) {
  for (std::string& cell : score_cells(line)) names.push_back(std::move(cell));
  const Tone tone = line.gpu.empty() && line.kernel.empty() ? Tone::strong : Tone::plain;
  table.rows.push_back({std::move(names), tone, {}, 0});
}

Section summary(const Validation& validation) {
  Table table;
  table.columns = {{"set", Align::left, ""}};
  for (Column& column : score_columns()) table.columns.push_back(std::move(column));
  for (const ValidatedSet& set : validation.sets) add_row(table, {set.name}, set.lines.front());
  Section section;
  section.title = "all sets, judged points";
  section.add(std::move(table));
  return section;
}

Section scores(const ValidatedSet& set) {
  Table table;
  table.columns = {
      {"part", Align::left, ""}, {"GPU", Align::left, ""}, {"kernel", Align::left, ""}};
  for (Column& column : score_columns()) table.columns.push_back(std::move(column));
  const auto of_kernels =
      std::count_if(set.lines.begin(), set.lines.end(),
                    [](const ScoreLine& line) { return line.gpu.empty() && !line.kernel.empty(); });
  const bool few = static_cast<std::size_t>(of_kernels) <= most_kernels;
  for (const ScoreLine& line : set.lines) {
    if (!line.kernel.empty() && !few) continue;
    add_row(table,
            {line.part.empty() ? "judged" : line.part, line.gpu.empty() ? "all" : line.gpu,
             line.kernel.empty() ? "all" : line.kernel},
            line);
  }
  Section section;
  section.title = "scores";
  section.add(std::move(table));
  Facts baselines;
  for (const BaselineLine& line : set.baselines) {
    baselines.entries.push_back(
        {line.name, share(line.mape),
         line.sentence + ", after one free factor; Spearman " + plain(line.spearman)});
  }
  if (!baselines.entries.empty()) section.add(std::move(baselines));
  return section;
}

Section worst(const ValidatedSet& set) {
  Table table;
  table.columns = {{"point", Align::left, ""},      {"GPU", Align::left, ""},
                   {"kernel", Align::left, ""},     {"measured", Align::right, ""},
                   {"predicted", Align::right, ""}, {"error", Align::right, ""},
                   {"limited by", Align::left, ""}, {"warps/SM", Align::right, ""}};
  for (const ScoredPoint* point : worst_points(set, most_worst)) {
    table.rows.push_back(
        {{point->id, point->gpu, point->kernel, duration(point->measured_ms),
          duration(point->predicted_ms), fmt::format("{:+.1f} %", 100 * point->relative_error()),
          point->limited_by, number(point->warps_per_sm)},
         Tone::plain,
         {},
         0});
  }
  Section section;
  section.title = "points most wrong";
  section.add(std::move(table));
  return section;
}

std::string plots(const ValidatedSet& set) {
  std::map<std::string, html::ScatterSeries> by_gpu;
  for (const ScoredPoint& point : set.points) {
    if (!point.apart.empty() || !point.timed()) continue;
    html::ScatterSeries& series = by_gpu[point.gpu];
    series.label = point.gpu;
    series.points.push_back({point.measured_ms, point.predicted_ms, point.id});
  }
  std::vector<html::ScatterSeries> series;
  std::string keys = "<ul class=\"keys\">";
  for (auto& [gpu, one] : by_gpu) {
    keys += fmt::format("<li class=\"series-{}\">{}</li>", std::min<std::size_t>(series.size(), 7),
                        escaped(gpu));
    series.push_back(std::move(one));
  }
  return keys + "</ul>\n<div class=\"pair\">\n" + html::time_scatter(series) +
         html::ratio_scatter(series) + "</div>\n";
}

std::string reports(const ValidatedSet& set) {
  std::vector<const View*> views;
  for (const std::string& name : views_of_worst()) {
    for (const auto& view : report::views().entries()) {
      if (view->name() == name) views.push_back(view.get());
    }
  }
  std::string out;
  for (const Result& result : set.worst) {
    const auto point = std::find_if(set.points.begin(), set.points.end(),
                                    [&](const ScoredPoint& p) { return p.id == result.id; });
    if (point == set.points.end()) continue;
    out += fmt::format(
        "<details><summary>{}<span>{} measured, {} predicted, {:+.1f} "
        "%</span></summary>\n{}</details>\n",
        escaped(result.id), duration(point->measured_ms), duration(point->predicted_ms),
        100 * point->relative_error(), html::result_markup(result, views));
  }
  return out;
}

std::string notes_markup(const ValidatedSet& set) {
  std::string out;
  for (const std::string& note : set.notes) {
    out += "<p class=\"note faint\">" + escaped(note) + "</p>\n";
  }
  return out;
}

std::string set_markup(const ValidatedSet& set) {
  return fmt::format("<h1 class=\"set\" id=\"{0}\">{0}</h1>\n<p class=\"subtitle\">{1}{2}</p>\n",
                     escaped(set.name), escaped(set.title),
                     set.source.empty() ? "" : "; measured by " + escaped(set.source)) +
         notes_markup(set) + "<div class=\"sections\">\n" +
         html::section_markup(scores(set), "scores", true) + "</div>\n" + plots(set) +
         "<div class=\"sections\">\n" + html::section_markup(worst(set), "worst", true) +
         "</div>\n" + reports(set);
}

}  // namespace

std::string validation_page(const Validation& validation) {
  std::string out = html::page_begin("Validation");
  out += fmt::format(
      "<header><p class=\"eyebrow\">Forewarp validation</p>\n<h1>Predicted against measured</h1>"
      "<p class=\"subtitle mono\">{}</p></header>\n",
      escaped(validation.options));
  if (validation.sets.size() > 1) {
    out += "<div class=\"sections\">\n" +
           html::section_markup(summary(validation), "summary", true) + "</div>\n";
  }
  for (const ValidatedSet& set : validation.sets) out += set_markup(set);
  out += "<footer>Forewarp " + escaped(validation.tool_version) + "</footer>\n";
  return out + html::page_end(true);
}

}  // namespace forewarp::report
