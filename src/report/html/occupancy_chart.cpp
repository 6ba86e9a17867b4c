// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/occupancy_chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "base/text.h"

namespace forewarp::report::html {
namespace {

constexpr double width = 520, height = 250;
constexpr double left = 36, right = 8, top = 26, bottom = 40;

/// Warps to pixels; ticks at the quarters of the most that an SM takes.
struct HeightScale {
  double most;
  [[nodiscard]] double pixel(double warps) const {
    return height - bottom - warps / most * (height - bottom - top);
  }
};

std::string text_at(double x, double y, std::string_view anchor, std::string_view classes,
                    std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n",
                     x, y, anchor, classes, escaped(text));
}

std::string columns(const Curve& curve, const HeightScale& y) {
  const double slot = (width - left - right) / static_cast<double>(curve.points.size());
  const std::size_t label_every = (curve.points.size() + 7) / 8;
  std::string out;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const auto [value, warps] = curve.points[i];
    const double x = left + slot * static_cast<double>(i);
    const bool marked = curve.marked && std::fabs(*curve.marked - value) < 0.5;
    out += fmt::format(
        "<rect class=\"column{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "rx=\"1.5\"><title>{} {}: {} {}</title></rect>\n",
        marked ? " marked" : "", x + 0.12 * slot, y.pixel(warps), 0.76 * slot,
        height - bottom - y.pixel(warps), escaped(curve.x_title), significant(value),
        significant(warps), escaped(curve.y_title));
    if (marked) {
      out += text_at(x + slot / 2, y.pixel(warps) - 5, "middle", "strong", significant(warps));
    }
    if ((i + 1) % label_every == 0 || marked) {
      out += text_at(x + slot / 2, height - bottom + 15, "middle", marked ? "strong" : "",
                     significant(value));
    }
  }
  return out;
}

}  // namespace

std::string occupancy_chart(const Curve& curve) {
  double most = std::max(curve.y_top, 1.0);
  for (const auto& [x, warps] : curve.points) most = std::max(most, warps);
  const HeightScale y{most};
  std::string out =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} over {}\">\n", width,
                  height, escaped(curve.y_title), escaped(curve.x_title));
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const double tick = most * quarter / 4;
    out +=
        fmt::format("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n",
                    left, width - right, y.pixel(tick));
    out += text_at(left - 6, y.pixel(tick) + 4, "end", "", significant(tick));
  }
  out += columns(curve, y);
  if (curve.line && *curve.line <= most) {
    out += fmt::format(
        "<line class=\"needed\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n", left,
        width - right, y.pixel(*curve.line));
  }
  out += text_at(left - 28, 12, "start", "", curve.y_title);
  if (curve.line) {
    out += text_at(width - right, 12, "end", "needed-text",
                   significant(*curve.line, 3) + ' ' + curve.line_title);
  }
  out += text_at(width - right, height - 6, "end", "", curve.x_title);
  return out + "</svg>\n";
}

}  // namespace forewarp::report::html
