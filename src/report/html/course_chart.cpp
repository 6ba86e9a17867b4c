// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/course_chart.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "report/html/axis_scale.h"
#include "report/html/plot_axes.h"
#include "report/quantity.h"

namespace forewarp::report::html {
namespace {

constexpr PlotArea area{520, 190, 36, 8, 26, 44};

std::string tick_text(double value) {
  return number(value);
}

/// Along the steps, from the first point to the end.
std::string steps_of(const Curve& curve, const AxisScale& x, const AxisScale& y) {
  std::string path;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const auto [from, value] = curve.points[i];
    const double to = i + 1 < curve.points.size() ? curve.points[i + 1].first : *curve.x_end;
    path += fmt::format("{}{:.1f},{:.1f} H{:.1f}", path.empty() ? "M" : " L", x.pixel(from),
                        y.pixel(value), x.pixel(std::max(from, to)));
  }
  return path;
}

}  // namespace

std::string course_chart(const Curve& curve) {
  AxisScale::Range heights{0, std::max(curve.y_top, 1.0), true, true};
  for (const auto& [at, value] : curve.points) heights.highest = std::max(heights.highest, value);
  const AxisScale x =
      AxisScale::fitting({0, *curve.x_end, true, true}, area.left, area.width - area.right);
  const AxisScale y = AxisScale::fitting(heights, area.height - area.bottom, area.top);
  const std::string steps = steps_of(curve, x, y);
  std::string out =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} over {}\">\n",
                  area.width, area.height, escaped(curve.y_title), escaped(curve.x_title));
  out += axes_markup(area, x, y, {tick_text, tick_text, curve.x_title});
  out += fmt::format(
      "<path class=\"spread series-0\" d=\"{0} V{1:.1f} H{2:.1f} Z\"/>\n"
      "<path class=\"curve series-0\" d=\"{0}\"/>\n",
      steps, y.pixel(0), x.pixel(curve.points.front().first));
  if (curve.line && *curve.line <= heights.highest) {
    out += fmt::format(
        "<line class=\"needed\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n"
        "<text class=\"needed-text\" x=\"{1}\" y=\"12\" text-anchor=\"end\">{3} {4}</text>\n",
        area.left, area.width - area.right, y.pixel(*curve.line), figure(*curve.line, 3),
        escaped(curve.line_title));
  }
  return out + fmt::format("<text x=\"8\" y=\"12\">{}</text>\n</svg>\n", escaped(curve.y_title));
}

}  // namespace forewarp::report::html
