// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/time_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <ranges>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "base/text.h"
#include "report/axes.h"
#include "report/html/axis_scale.h"
#include "report/html/plot_axes.h"
#include "report/quantity.h"

namespace forewarp::report::html {
namespace {

constexpr double width = 900, height = 340;
constexpr double left = 72, right = 16, top = 14, bottom = 44;
constexpr std::size_t colours = 8;
constexpr std::size_t small_dots_from = 60;
constexpr std::size_t most_dots_on_a_line = 400;

struct Point {
  double x = 0, time = 0, low = 0, high = 0;
};

struct Series {
  std::string label;
  std::vector<Point> points;
};

struct Plot {
  std::string x_title;
  std::vector<Series> series;
};

/// The numeric axis with the most values; none when every axis is words.
const Axis* swept_axis(const std::vector<Axis>& axes) {
  const Axis* swept = nullptr;
  for (const Axis& axis : axes) {
    if (axis.numbers.empty()) continue;
    if (swept == nullptr || axis.distinct() > swept->distinct()) swept = &axis;
  }
  return swept;
}

Plot plot_of(const std::vector<Result>& results, const std::vector<Axis>& axes, const Axis& swept) {
  Plot plot{swept.name, {}};
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& result = results[i];
    if (result.error || !std::isfinite(result.time_ms)) continue;
    std::vector<std::string> rest;
    for (const Axis& axis : axes) {
      if (&axis != &swept && !axis.values[i].empty())
        rest.push_back(axis.name + '=' + axis.values[i]);
    }
    const std::string label = join(rest, " ");
    const auto [place, is_new] = places.try_emplace(label, plot.series.size());
    if (is_new) plot.series.push_back({label, {}});
    const auto [low, high] = result.interval_ms;
    const bool ranged = std::isfinite(low) && std::isfinite(high) && low > 0 && high > 0;
    plot.series[place->second].points.push_back({swept.numbers[i], result.time_ms,
                                                 ranged ? low : result.time_ms,
                                                 ranged ? high : result.time_ms});
  }
  for (Series& one : plot.series) std::ranges::stable_sort(one.points, {}, &Point::x);
  return plot;
}

struct Scales {
  AxisScale x, y;
};

/// Steps of equal size leave little below a tenth of the highest value; factors leave much.
bool is_even(const Plot& plot, double highest) {
  std::size_t all = 0;
  std::size_t low = 0;
  for (const Series& one : plot.series) {
    all += one.points.size();
    low += static_cast<std::size_t>(std::ranges::count_if(
        one.points, [&](const Point& point) { return point.x < highest / 10; }));
  }
  return 4 * low < all;
}

Scales scales_of(const Plot& plot) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  AxisScale::Range x{infinite, -infinite, false};
  AxisScale::Range y{infinite, -infinite, true};
  for (const Series& one : plot.series) {
    for (const Point& point : one.points) {
      x.lowest = std::min(x.lowest, point.x);
      x.highest = std::max(x.highest, point.x);
      y.lowest = std::min(y.lowest, point.low);
      y.highest = std::max(y.highest, point.high);
    }
  }
  x.even = is_even(plot, x.highest);
  return {AxisScale::fitting(x, left, width - right), AxisScale::fitting(y, height - bottom, top)};
}

/// A line when each place on the axis has one point, else dots alone.
bool is_line(const Series& series) {
  return std::ranges::adjacent_find(series.points, {}, &Point::x) == series.points.end();
}

std::string place_of(const Point& point, double time, const Scales& scales) {
  return fmt::format("{:.1f},{:.1f} ", scales.x.pixel(point.x), scales.y.pixel(time));
}

/// The range as a band, forth along its top and back along its bottom, and the times as a line.
std::string curve(const Series& series, const Scales& scales) {
  std::string line;
  std::string band;
  for (const Point& point : series.points) {
    line += place_of(point, point.time, scales);
    band += place_of(point, point.high, scales);
  }
  for (const Point& point : std::views::reverse(series.points)) {
    band += place_of(point, point.low, scales);
  }
  return fmt::format(
      "<polygon class=\"spread\" points=\"{}\"/>\n<polyline class=\"curve\" points=\"{}\"/>\n",
      band, line);
}

std::string dots(const Series& series, const Scales& scales) {
  const double radius = series.points.size() > small_dots_from ? 2 : 3.5;
  const std::string remark = series.label.empty() ? "" : " (" + series.label + ')';
  std::string out;
  for (const Point& point : series.points) {
    out += fmt::format(
        "<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
        scales.x.pixel(point.x), scales.y.pixel(point.time), radius,
        escaped(number(point.x) + ": " + duration(point.time) + remark));
  }
  return out;
}

std::string series_markup(const Series& series, std::size_t index, const Scales& scales) {
  const bool line = is_line(series) && series.points.size() > 1;
  const bool dotted = !line || series.points.size() <= most_dots_on_a_line;
  return fmt::format("<g class=\"series-{}\">\n{}{}</g>\n", std::min(index, colours - 1),
                     line ? curve(series, scales) : "", dotted ? dots(series, scales) : "");
}

std::string keys(const Plot& plot) {
  if (plot.series.size() < 2) return "";
  std::string out = "<ul class=\"keys\">";
  for (std::size_t i = 0; i < std::min(plot.series.size(), colours); ++i) {
    const bool rest = i + 1 == colours && plot.series.size() > colours;
    out += fmt::format(
        "<li class=\"series-{}\">{}</li>", i,
        rest ? fmt::format("{} more", plot.series.size() - i) : escaped(plot.series[i].label));
  }
  return out + "</ul>\n";
}

}  // namespace

std::string time_plot(const std::vector<Result>& results) {
  const std::vector<Axis> axes = varying_axes(results);
  const Axis* swept = swept_axis(axes);
  if (swept == nullptr) return "";
  const Plot plot = plot_of(results, axes, *swept);
  const bool joined = std::ranges::any_of(
      plot.series, [](const Series& series) { return series.points.size() > 1; });
  if (!joined) return "";
  const Scales scales = scales_of(plot);
  std::string out = fmt::format(
      "<section class=\"plot\">\n<div class=\"section-head\"><h2>time over {}</h2></div>\n{}"
      "<div class=\"scroll\"><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"time over "
      "{}\">\n",
      escaped(plot.x_title), keys(plot), width, height, escaped(plot.x_title));
  out += axes_markup({width, height, left, right, top, bottom}, scales.x, scales.y,
                     {amount, short_duration, plot.x_title});
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    out += series_markup(plot.series[i], i, scales);
  }
  return out + "</svg></div>\n</section>\n";
}

}  // namespace forewarp::report::html
