// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/curve_plot.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "report/html/axis_scale.h"
#include "report/html/plot_axes.h"
#include "report/quantity.h"

namespace forewarp::report::html {
namespace {

constexpr PlotArea small{300, 190, 40, 8, 8, 34};
constexpr PlotArea wide{900, 380, 52, 16, 14, 44};
constexpr std::size_t colours = 8;
constexpr double always_log = 1;  // any span

std::string amount_text(double value) {
  return figure(value, 2);
}

AxisScale x_axis(double first, double last, const PlotArea& area) {
  return AxisScale::fitting({first, last, false, false, always_log}, area.left,
                            area.width - area.right);
}

std::string drawing(const PlotArea& area, const std::string& label, const std::string& content) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     area.width, area.height, escaped(label), content);
}

std::string level(const PlotArea& area, const AxisScale& y, double value, const char* kind) {
  return fmt::format("<line class=\"{}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind,
                     area.left, area.width - area.right, y.pixel(value), y.pixel(value));
}

std::string path_of(const std::vector<std::pair<double, double>>& points, const AxisScale& x,
                    const AxisScale& y) {
  std::string path;
  for (const auto& [px, py] : points) {
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "M" : " L", x.pixel(px), y.pixel(py));
  }
  return path;
}

/// A second round through the colours is dashed.
std::string style_of(std::size_t index) {
  return fmt::format("series-{}{}", index % colours, index >= colours ? " second" : "");
}

std::string keys_of(const std::vector<PlotCurve>& curves) {
  std::string out = "<ul class=\"keys\">";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    out += fmt::format("<li class=\"{}\">{}</li>", style_of(i), escaped(curves[i].label));
  }
  return out + "</ul>\n";
}

}  // namespace

std::string band_plot(const PlotBand& band) {
  if (band.x.empty()) return "";
  const AxisScale x = x_axis(band.x.front(), band.x.back(), small);
  const AxisScale y = AxisScale::fitting({band.lowest, band.highest, false, false, always_log},
                                         small.height - small.bottom, small.top);
  const auto inside = [&](double value) { return std::clamp(value, band.lowest, band.highest); };
  std::vector<std::pair<double, double>> outline;
  for (std::size_t i = 0; i < band.x.size(); ++i)
    outline.emplace_back(band.x[i], inside(band.high[i]));
  for (std::size_t i = band.x.size(); i-- > 0;)
    outline.emplace_back(band.x[i], inside(band.low[i]));
  std::string content = axes_markup(small, x, y, {amount_text, amount_text, ""});
  content += level(small, y, 1, "right");
  content += fmt::format("<path class=\"band series-0\" d=\"{} Z\"/>\n", path_of(outline, x, y));
  return fmt::format("<figure class=\"small\"><figcaption>{}</figcaption>\n{}</figure>\n",
                     escaped(band.title), drawing(small, band.title, content));
}

std::string curves_plot(const std::string& title, const std::string& x_title,
                        const std::vector<PlotCurve>& curves, double limit) {
  AxisScale::Range range{0, limit, true, true, 1e30};
  double first = 0, last = 0;
  for (const PlotCurve& curve : curves) {
    for (const auto& [px, py] : curve.points) {
      first = first == 0 ? px : std::min(first, px);
      last = std::max(last, px);
      range.highest = std::max(range.highest, py);
    }
  }
  if (last <= 0) return "";
  const AxisScale x = x_axis(first, last, wide);
  const AxisScale y = AxisScale::fitting(range, wide.height - wide.bottom, wide.top);
  std::string content = axes_markup(wide, x, y, {amount_text, amount_text, x_title});
  if (limit > 0) content += level(wide, y, limit, "near");
  for (std::size_t i = 0; i < curves.size(); ++i) {
    content += fmt::format("<path class=\"curve {}\" d=\"{}\"/>\n", style_of(i),
                           path_of(curves[i].points, x, y));
  }
  return fmt::format(
      "<section class=\"plot\">\n<div class=\"section-head\"><h2>{}</h2></div>\n{}"
      "<div class=\"scroll\">{}</div></section>\n",
      escaped(title), keys_of(curves), drawing(wide, title, content));
}

}  // namespace forewarp::report::html
