// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/plot_axes.h"

#include <fmt/format.h>

#include "base/markup_text.h"

namespace forewarp::report::html {

std::string axes_markup(const PlotArea& area, const AxisScale& x, const AxisScale& y,
                        const AxisTexts& texts) {
  const double end = area.width - area.right, base = area.height - area.bottom;
  std::string out;
  for (const double tick : y.ticks()) {
    const double place = y.pixel(tick);
    out += fmt::format(
        "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        area.left, end, place, area.left - 8, place + 4, texts.y_tick(tick));
  }
  for (const double tick : x.ticks()) {
    out += fmt::format(
        "<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        x.pixel(tick), base, base + 5, base + 19, texts.x_tick(tick));
  }
  return out + fmt::format(
                   "<line class=\"axis\" x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\"/>"
                   "<text class=\"strong\" x=\"{1}\" y=\"{3}\" text-anchor=\"end\">{4}</text>\n",
                   area.left, end, base, area.height - 6, escaped(texts.x_title));
}

}  // namespace forewarp::report::html
