// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/latencies/latency_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/markup_text.h"
#include "base/text.h"

namespace forewarp::characterise {
namespace {

constexpr std::size_t columns = 64, lines = 10;

/// The latencies that all series span, in whole columns.
struct Axis {
  double from = 0, width = 1;  ///< of a column, cycles

  [[nodiscard]] double at(std::size_t column) const {
    return from + width * static_cast<double>(column);
  }
};

Axis axis_of(const std::vector<LatencySeries>& series) {
  double from = 1e300, to = 0;
  for (const LatencySeries& one : series) {
    for (const LatencySeries::Bin& bin : one.bins) {
      from = std::min(from, bin.from);
      to = std::max(to, bin.from + bin.width);
    }
  }
  if (!(to > from)) return {};
  const double width = (to - from) / static_cast<double>(columns);
  return {std::floor(from), std::max(1.0, std::ceil(width))};
}

/// Shares by column; a bin that lies in two counts in both by what lies there.
std::vector<double> on_axis(const LatencySeries& series, const Axis& axis) {
  std::vector<double> shares(columns, 0);
  for (const LatencySeries::Bin& bin : series.bins) {
    const double begin = (bin.from - axis.from) / axis.width;
    const double end = begin + bin.width / axis.width;
    for (auto c = static_cast<std::size_t>(std::max(begin, 0.0)); c < columns; ++c) {
      const auto low = static_cast<double>(c);
      const double overlap = std::min(end, low + 1) - std::max(begin, low);
      if (overlap <= 0) break;
      shares[c] += bin.share * overlap / (end - begin);
    }
  }
  return shares;
}

double highest(const std::vector<std::vector<double>>& all) {
  double most = 0;
  for (const auto& shares : all) most = std::max(most, *std::ranges::max_element(shares));
  return most;
}

}  // namespace

double LatencySeries::mean() const {
  double sum = 0;
  for (const Bin& bin : bins) sum += bin.share * (bin.from + (bin.width - 1) / 2);
  return sum;
}

double LatencySeries::deviation() const {
  const double middle = mean();
  double sum = 0;
  for (const Bin& bin : bins) {
    const double away = bin.from + (bin.width - 1) / 2 - middle;
    sum += bin.share * away * away;
  }
  return std::sqrt(sum);
}

double LatencySeries::quantile(double share) const {
  constexpr double rounding = 1e-12;
  double sum = 0;
  for (const Bin& bin : bins) {
    sum += bin.share;
    if (sum >= share - rounding) return bin.from;
  }
  return bins.empty() ? 0 : bins.back().from;
}

LatencySeries series_of(std::string name, const Pmf& pmf) {
  LatencySeries series{std::move(name), {}};
  for (std::int64_t v = pmf.min(); v <= pmf.max(); ++v) {
    if (pmf.mass(v) > 0) series.bins.push_back({static_cast<double>(v), 1, pmf.mass(v)});
  }
  return series;
}

std::string plot_as_text(const std::vector<LatencySeries>& series) {
  const Axis axis = axis_of(series);
  std::vector<std::vector<double>> all;
  for (const LatencySeries& one : series) all.push_back(on_axis(one, axis));
  const double most = all.empty() ? 0 : highest(all);
  std::string out;
  for (std::size_t line = lines; line > 0; --line) {
    const double level = most * (static_cast<double>(line) - 0.5) / static_cast<double>(lines);
    std::string row;
    for (std::size_t c = 0; c < columns; ++c) {
      const bool first = !all.empty() && most > 0 && all[0][c] >= level;
      const bool second = all.size() > 1 && most > 0 && all[1][c] >= level;
      row += first && second ? '@' : first ? '#' : second ? 'o' : ' ';
    }
    const std::string top = line == lines ? significant(100 * most, 3) + " %" : "";
    out += fmt::format("{:>8} |{}\n", top, row.substr(0, row.find_last_not_of(' ') + 1));
  }
  out += fmt::format("{:>8} +{}\n{:>10}{:<32}{:>32}\n", 0, std::string(columns, '-'), "",
                     significant(axis.from, 8), significant(axis.at(columns), 8));
  constexpr std::string_view marks = "#o";
  for (std::size_t i = 0; i < series.size() && i < marks.size(); ++i) {
    out += fmt::format("{:>10} {}\n", marks[i], series[i].name);
  }
  return out + (series.size() > 1 ? "         @ both\n" : "");
}

std::string plot_as_svg(const std::vector<LatencySeries>& series, const std::string& title) {
  constexpr double left = 60, top = 40, wide = 640, high = 240;
  constexpr std::array<std::string_view, 2> colours{"#1f77b4", "#d95f02"};
  const Axis axis = axis_of(series);
  std::vector<std::vector<double>> all;
  for (const LatencySeries& one : series) all.push_back(on_axis(one, axis));
  const double most = all.empty() ? 0 : highest(all);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<text x=\"{}\" y=\"20\">{}</text>\n"
      "<path d=\"M{} {}v{}h{}\" fill=\"none\" stroke=\"black\"/>\n",
      left + wide + 20, top + high + 60, left, base::escaped(title), left, top, high, wide);
  const double step = wide / static_cast<double>(columns);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string_view colour = colours[i % colours.size()];
    std::string path = fmt::format("M{} {}", left, top + high);
    for (std::size_t c = 0; c < columns; ++c) {
      const double y = top + high - (most > 0 ? all[i][c] / most : 0) * high;
      path += fmt::format("L{:.2f} {:.2f}H{:.2f}", left + step * static_cast<double>(c), y,
                          left + step * static_cast<double>(c + 1));
    }
    out += fmt::format(
        "<path d=\"{}V{}\" fill=\"{}\" fill-opacity=\"0.25\" stroke=\"{}\"/>\n"
        "<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n",
        path, top + high, colour, colour, left + wide / 2, top + 16 * static_cast<double>(i),
        colour, base::escaped(series[i].name));
  }
  return out + fmt::format(
                   "<text x=\"{}\" y=\"{}\">{}</text>\n<text x=\"{}\" y=\"{}\" "
                   "text-anchor=\"end\">{} cycles</text>\n<text x=\"{}\" y=\"{}\" "
                   "text-anchor=\"end\">{} %</text>\n</svg>\n",
                   left, top + high + 20, significant(axis.from, 8), left + wide, top + high + 20,
                   significant(axis.at(columns), 8), left - 4, top + 4, significant(100 * most, 3));
}

}  // namespace forewarp::characterise
