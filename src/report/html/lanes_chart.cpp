// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/lanes_chart.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "report/html/axis_scale.h"
#include "report/quantity.h"

namespace forewarp::report::html {
namespace {

constexpr double width = 1120, right = 8, bottom = 38;
constexpr double letter = 7.2;      // pixels of a label's letter
constexpr double least_left = 130;  // pictures below each other have one axis
constexpr int colours = 8;

/// Pitch and height of a lane: few lanes are high, many are low.
struct LaneSize {
  double pitch = 0, height = 0;
  explicit LaneSize(std::size_t lanes)
      : pitch(std::clamp(240.0 / static_cast<double>(lanes), 13.0, 30.0)), height(0.76 * pitch) {}
};

std::string style_of(const Lanes::Kind& kind) {
  return fmt::format("series-{}{}", kind.colour % colours, kind.colour >= colours ? " pale" : "");
}

std::string keys_of(const Lanes& lanes) {
  std::string out = "<ul class=\"keys\">";
  for (const Lanes::Kind& kind : lanes.kinds) {
    out += fmt::format("<li class=\"{}\">{}</li>", style_of(kind), escaped(kind.label));
  }
  return out + "</ul>\n";
}

/// All pieces of a kind in a lane are one path: a long timeline stays a small page.
std::string bars_of(const Lanes& lanes, const Lanes::Lane& lane, const AxisScale& x, double top,
                    double height) {
  std::vector<std::string> paths(lanes.kinds.size());
  for (const Lanes::Piece& piece : lane.pieces) {
    const double from = x.pixel(piece.from);
    const double length = std::max(0.4, x.pixel(piece.to) - from);
    paths[piece.kind] +=
        fmt::format("M{:.1f},{:.1f}h{:.1f}v{:.1f}h-{:.1f}z", from, top, length, height, length);
  }
  std::string out;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    if (paths[k].empty()) continue;
    out += fmt::format("<path class=\"piece {}\" d=\"{}\"><title>{}: {}</title></path>\n",
                       style_of(lanes.kinds[k]), paths[k], escaped(lane.label),
                       escaped(lanes.kinds[k].label));
  }
  return out;
}

std::string axis_of(const Lanes& lanes, const AxisScale& x, double left, double base) {
  std::string out;
  for (const double tick : x.ticks()) {
    if (tick > lanes.end) break;
    out += fmt::format(
        "<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
        x.pixel(tick), base, base + 5, base + 18, number(tick));
  }
  return out + fmt::format(
                   "<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{1}\" y1=\"{2:.1f}\" "
                   "y2=\"{2:.1f}\"/><text class=\"strong\" x=\"{1}\" y=\"{3:.1f}\" "
                   "text-anchor=\"end\">{4}</text>\n",
                   left, width - right, base, base + 34, escaped(lanes.x_title));
}

}  // namespace

std::string lanes_chart(const Lanes& lanes) {
  if (!(lanes.end > 0)) return "";
  std::size_t label = 0;
  for (const Lanes::Lane& lane : lanes.lanes) label = std::max(label, lane.label.size());
  const double left = std::max(least_left, letter * static_cast<double>(label) + 12);
  const LaneSize size(lanes.lanes.size());
  const double base = size.pitch * static_cast<double>(lanes.lanes.size()) + 4;
  const AxisScale x = AxisScale::fitting({0, lanes.end, true, true}, left, width - right);
  std::string out = keys_of(lanes) + "<div class=\"scroll lanes\">";
  out += fmt::format(
      "<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"what happened over {}\">\n", width,
      base + bottom, escaped(lanes.x_title));
  for (std::size_t i = 0; i < lanes.lanes.size(); ++i) {
    const double top = size.pitch * static_cast<double>(i);
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8,
                       top + size.height / 2 + 4, escaped(lanes.lanes[i].label));
    out += bars_of(lanes, lanes.lanes[i], x, top, size.height);
  }
  return out + axis_of(lanes, x, left, base) + "</svg></div>\n";
}

}  // namespace forewarp::report::html
