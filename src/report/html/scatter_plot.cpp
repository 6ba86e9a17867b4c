// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/scatter_plot.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "report/html/axis_scale.h"
#include "report/html/plot_axes.h"
#include "report/quantity.h"

namespace forewarp::report::html {
namespace {

constexpr double width = 560, height = 400;
constexpr double left = 72, right = 16, top = 14, bottom = 44;
constexpr std::size_t colours = 8;
constexpr std::size_t small_dots_from = 150;
constexpr double log_from = 5;  // small times matter as much as large ones
constexpr double band = 1.2;    // a prediction within a fifth

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void hold(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool drawable() const { return low > 0 && low <= high; }
};

struct Frame {
  AxisScale x, y;
  std::string y_title;
  bool y_is_time = true;
};

std::string ratio_text(double ratio) {
  return figure(ratio, 2);
}

std::string axes(const Frame& frame) {
  const AxisTexts texts{short_duration, frame.y_is_time ? short_duration : ratio_text, "measured"};
  return axes_markup({width, height, left, right, top, bottom}, frame.x, frame.y, texts) +
         fmt::format("<text class=\"strong\" x=\"{}\" y=\"{}\">{}</text>\n", left + 6, top + 12,
                     frame.y_title);
}

/// A straight line between two places of the plot.
std::string line(const Frame& frame, const char* kind, double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind,
      frame.x.pixel(x1), frame.y.pixel(y1), frame.x.pixel(x2), frame.y.pixel(y2));
}

std::string dots(const std::vector<ScatterSeries>& series, const Frame& frame, bool ratio) {
  std::string out;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double radius = series[i].points.size() > small_dots_from ? 1.6 : 3;
    out += fmt::format("<g class=\"series-{}\" opacity=\"0.75\">\n", std::min(i, colours - 1));
    for (const ScatterPoint& point : series[i].points) {
      const double y = ratio ? point.y / point.x : point.y;
      out += fmt::format(
          "<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
          frame.x.pixel(point.x), frame.y.pixel(y), radius,
          escaped(fmt::format("{}: {} measured, {} predicted, {:+.1f} %", point.label,
                              duration(point.x), duration(point.y),
                              100 * (point.y / point.x - 1))));
    }
    out += "</g>\n";
  }
  return out;
}

std::string plot(const std::string& title, const std::string& content) {
  return fmt::format(
      "<section class=\"scatter\">\n<div class=\"section-head\"><h2>{}</h2></div>\n"
      "<div class=\"scroll\"><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}"
      "</svg></div>\n</section>\n",
      title, width, height, title, content);
}

}  // namespace

std::string time_scatter(const std::vector<ScatterSeries>& series) {
  Extent all;
  for (const ScatterSeries& one : series) {
    for (const ScatterPoint& point : one.points) {
      all.hold(point.x);
      all.hold(point.y);
    }
  }
  if (!all.drawable()) return "";
  const AxisScale::Range range{all.low, all.high, false, false, log_from};
  const Frame frame{AxisScale::fitting(range, left, width - right),
                    AxisScale::fitting(range, height - bottom, top), "predicted", true};
  std::string out = axes(frame);
  out += line(frame, "right", all.low, all.low, all.high, all.high);
  out += line(frame, "near", all.low, all.low * band, all.high / band, all.high);
  out += line(frame, "near", all.low * band, all.low, all.high, all.high / band);
  return plot("predicted over measured; dashed: a fifth off", out + dots(series, frame, false));
}

std::string ratio_scatter(const std::vector<ScatterSeries>& series) {
  Extent x, ratio;
  ratio.hold(1 / band);
  ratio.hold(band);
  for (const ScatterSeries& one : series) {
    for (const ScatterPoint& point : one.points) {
      x.hold(point.x);
      ratio.hold(point.y / point.x);
    }
  }
  if (!x.drawable()) return "";
  const Frame frame{
      AxisScale::fitting({x.low, x.high, false, false, log_from}, left, width - right),
      AxisScale::fitting({ratio.low, ratio.high, false, true}, height - bottom, top),
      "predicted / measured", false};
  std::string out = axes(frame);
  out += line(frame, "right", x.low, 1, x.high, 1);
  out += line(frame, "near", x.low, band, x.high, band);
  out += line(frame, "near", x.low, 1 / band, x.high, 1 / band);
  return plot("their ratio over measured", out + dots(series, frame, true));
}

}  // namespace forewarp::report::html
