// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sinks/text_picture.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

constexpr std::size_t most_columns = 96, fewest_columns = 20;
constexpr std::size_t margin = 4;  // indentation of the text and the blanks behind a label
constexpr char nothing = ' ';

std::size_t columns_for(int width, std::size_t taken) {
  const auto all = static_cast<std::size_t>(std::max(width, 0));
  return std::clamp(all > taken ? all - taken : 0, fewest_columns, most_columns);
}

/// The kind that takes most of a column, by its place; of equals the first.
char symbol_of(const Lanes& lanes, const std::vector<double>& taken) {
  const auto most = std::ranges::max_element(taken);
  if (most == taken.end() || *most <= 0) return nothing;
  return lanes.kinds[static_cast<std::size_t>(most - taken.begin())].symbol;
}

std::string row_of(const Lanes& lanes, const Lanes::Lane& lane, std::size_t columns) {
  const double step = lanes.end / static_cast<double>(columns);
  std::vector<std::vector<double>> taken(columns, std::vector<double>(lanes.kinds.size(), 0));
  for (const Lanes::Piece& piece : lane.pieces) {
    if (!(piece.to > piece.from) || piece.from < 0 || piece.from >= lanes.end) continue;
    const auto first = static_cast<std::size_t>(piece.from / step);
    for (std::size_t c = first; c < columns; ++c) {
      const double begin = step * static_cast<double>(c);
      if (begin >= piece.to) break;
      taken[c][piece.kind] += std::min(piece.to, begin + step) - std::max(piece.from, begin);
    }
  }
  std::string row;
  for (const std::vector<double>& column : taken) row += symbol_of(lanes, column);
  return row;
}

std::string axis_of(const std::string& title, double end, std::size_t label, std::size_t columns) {
  const std::string last = number(std::round(end)) + ' ' + title;
  const std::size_t gap = columns > last.size() + 1 ? columns - last.size() - 1 : 1;
  return std::string(label + 2, ' ') + '0' + std::string(gap, ' ') + last;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::vector<std::string> lane_lines(const Lanes& lanes, int width) {
  if (lanes.lanes.empty() || !(lanes.end > 0) || !std::isfinite(lanes.end)) return {};
  std::size_t label = 0;
  for (const Lanes::Lane& lane : lanes.lanes) label = std::max(label, lane.label.size());
  const std::size_t columns = columns_for(width, label + margin);
  std::vector<std::string> lines;
  for (const Lanes::Lane& lane : lanes.lanes) {
    const std::string blanks(label - lane.label.size() + 2, ' ');
    lines.push_back(trimmed(lane.label + blanks + row_of(lanes, lane, columns)));
  }
  lines.push_back(axis_of(lanes.x_title, lanes.end, label, columns));
  std::vector<std::string> key;
  for (const Lanes::Kind& kind : lanes.kinds) key.push_back(kind.symbol + (' ' + kind.label));
  lines.push_back(std::string(label + 2, ' ') + join(key, ", "));
  return lines;
}

std::vector<std::string> course_lines(const Curve& curve, int width) {
  const double end = curve.x_end.value_or(0);
  if (curve.points.empty() || !(end > 0) || !(curve.y_top > 0)) return {};
  const std::string label = curve.y_title;
  const std::size_t columns = columns_for(width, label.size() + margin);
  std::string row;
  std::size_t at = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const double x = end * (static_cast<double>(c) + 0.5) / static_cast<double>(columns);
    while (at + 1 < curve.points.size() && curve.points[at + 1].first <= x) ++at;
    const double tenths = std::clamp(10 * curve.points[at].second / curve.y_top, 0.0, 9.0);
    row += static_cast<char>('0' + static_cast<int>(tenths));
  }
  return {label + "  " + row, axis_of(curve.x_title, end, label.size(), columns),
          std::string(label.size() + 2, ' ') + "digits are tenths of " + number(curve.y_top)};
}

}  // namespace forewarp::report
