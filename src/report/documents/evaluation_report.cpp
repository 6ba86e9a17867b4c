// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/documents/evaluation_report.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "report/html/curve_plot.h"
#include "report/html/markup.h"
#include "report/html/page.h"
#include "report/quantity.h"
#include "report/view.h"

namespace forewarp::report {
namespace {

using namespace report;

constexpr double lowest_quotient = 0.1, highest_quotient = 10;
constexpr double most_curves_warps = 4;  // of what an SM holds: what lies above is no curve to show

html::PlotBand band_of(const EvaluatedSeries& series) {
  html::PlotBand band;
  band.title = series.model;
  band.lowest = lowest_quotient;
  band.highest = highest_quotient;
  for (const Quotient& q : series.quotients) {
    if (q.greatest <= 0 || std::isinf(q.alpha) || q.alpha <= 0) continue;
    band.x.push_back(q.alpha);
    band.low.push_back(q.least);
    band.high.push_back(q.greatest);
  }
  return band;
}

html::PlotCurve cusp_of(const EvaluatedSeries& series) {
  html::PlotCurve curve;
  curve.label = series.model;
  for (const NeededWarps& n : series.needed) {
    const bool drawable = n.most > 0 && n.most < most_curves_warps * series.most_warps;
    if (drawable && n.alpha > 0 && !std::isinf(n.alpha)) {
      curve.points.emplace_back(n.alpha, n.most);
    }
  }
  return curve;
}

std::string gpu_markup(const std::vector<const EvaluatedSeries*>& series,
                       const std::string& reference) {
  std::string bands;
  std::vector<html::PlotCurve> cusps;
  for (const EvaluatedSeries* one : series) {
    bands += html::band_plot(band_of(*one));
    html::PlotCurve cusp = cusp_of(*one);
    if (cusp.points.size() > 1) cusps.push_back(std::move(cusp));
  }
  const std::string& gpu = series.front()->gpu;
  std::string out = fmt::format("<h1 class=\"set\" id=\"{0}\">{0}</h1>\n", escaped(gpu));
  if (!bands.empty()) {
    out += fmt::format(
        "<p class=\"subtitle\">throughput over that of {}: least to greatest over occupancies, by "
        "intensity</p>\n<div class=\"smalls\">\n{}</div>\n",
        escaped(reference), bands);
  }
  return out + html::curves_plot(
                   "warps per SM that reach 90 % of the tightest limit; dashed: what an SM holds",
                   "additions per other instruction", cusps, series.front()->most_warps);
}

Section figures_section(const ModelEvaluation& evaluation) {
  Table table;
  table.columns = {
      {"", Align::left, ""},        {"id", Align::left, ""},    {"what", Align::text, ""},
      {"printed", Align::text, ""}, {"ours", Align::right, ""}, {"from", Align::right, ""},
      {"to", Align::right, ""},     {"kind", Align::left, ""},  {"source", Align::left, ""}};
  for (const PublishedFigure& figure : evaluation.figures) {
    const Tone tone = figure.holds() ? Tone::plain : figure.exact ? Tone::bad : Tone::warning;
    table.rows.push_back({{figure.holds() ? "holds" : "off", figure.id, figure.what, figure.printed,
                           report::figure(figure.computed, 5), report::figure(figure.low, 5),
                           report::figure(figure.high, 5),
                           figure.exact ? "computed" : "plausibility", figure.source},
                          tone,
                          {},
                          0});
  }
  Section section;
  section.title = "published figures beside ours";
  section.add(std::move(table));
  return section;
}

}  // namespace

std::string evaluation_page(const ModelEvaluation& evaluation) {
  std::string out = html::page_begin("Evaluation of models");
  out += fmt::format(
      "<header><p class=\"eyebrow\">Forewarp evaluation</p>\n<h1>{}</h1><p class=\"subtitle\">{}"
      "</p></header>\n",
      escaped(evaluation.title), escaped(evaluation.source));
  std::vector<const EvaluatedSeries*> same;
  for (const EvaluatedSeries& series : evaluation.series) {
    if (!same.empty() && same.front()->gpu != series.gpu) {
      out += gpu_markup(same, evaluation.reference);
      same.clear();
    }
    same.push_back(&series);
  }
  if (!same.empty()) out += gpu_markup(same, evaluation.reference);
  if (!evaluation.figures.empty()) {
    out += "<div class=\"sections\">\n" +
           html::section_markup(figures_section(evaluation), "figures", true) + "</div>\n";
  }
  for (const std::string& note : evaluation.notes) {
    out += "<p class=\"note faint\">" + escaped(note) + "</p>\n";
  }
  return out + html::page_end(true);
}

}  // namespace forewarp::report
