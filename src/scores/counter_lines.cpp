// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "base/statistics.h"
#include "base/text.h"
#include "scores/counters.h"
#include "scores/scores.h"
#include "sweep/results_table.h"

namespace forewarp::scores {

namespace {

/// Infinite where only the profile counts something.
double ratio(const CountedFigure& figure) {
  if (figure.counted == 0) return std::numeric_limits<double>::infinity();
  return figure.own / figure.counted;
}

std::vector<double> ratios_of(const ValidatedSet& set, const std::string& counter, bool judged) {
  std::vector<double> ratios;
  for (const ScoredPoint& point : set.points) {
    if (point.apart.empty() != judged) continue;
    for (const CountedFigure& figure : point.counters) {
      const bool says_something = figure.own != 0 || figure.counted != 0;
      if (figure.counter == counter && says_something) ratios.push_back(ratio(figure));
    }
  }
  return ratios;
}

double farthest_from_one(const std::vector<double>& ratios) {
  double worst = 1;
  for (const double value : ratios) {
    if (std::fabs(value - 1) > std::fabs(worst - 1)) worst = value;
  }
  return worst;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

TableCell rounded(double value) {
  if (!std::isfinite(value)) return std::string(std::isnan(value) ? "-" : "inf");
  return std::round(value * 10000) / 10000;
}

std::string verdict(const CounterLine& line) {
  if (line.goal == 0 || line.points == 0) return "";
  return line.holds() ? "ok" : "off (goal " + significant(100 * line.goal, 2) + " %)";
}

}  // namespace

void compare_counters(const std::vector<Counter>& counters, ValidatedSet& set) {
  set.counters.clear();
  for (const Counter& counter : counters) {
    const auto ratios = ratios_of(set, counter.name, true);
    const auto others = ratios_of(set, counter.name, false);
    if (ratios.empty() && others.empty()) continue;
    CounterLine line;
    line.counter = counter.name;
    line.goal = counter.goal;
    line.points = ratios.size();
    line.others = others.size();
    if (!ratios.empty()) {
      line.median = quantile(ratios, 0.5);
      line.mean = mean(ratios);
      line.p10 = quantile(ratios, 0.1);
      line.p90 = quantile(ratios, 0.9);
      line.worst = farthest_from_one(ratios);
    }
    if (!others.empty()) line.others_median = quantile(others, 0.5);
    set.counters.push_back(std::move(line));
  }
}

std::string counter_text(const ValidatedSet& set) {
  if (set.counters.empty()) return "";
  ResultsTable table;
  table.columns = {"own / counted", "median", "mean",           "p10",  "p90",
                   "worst",         "rows",   "others: median", "rows", "goal"};
  for (const CounterLine& line : set.counters) {
    TableRow row{line.counter};
    for (const double value : {line.median, line.mean, line.p10, line.p90, line.worst}) {
      row.push_back(line.points == 0 ? TableCell(std::string("-")) : rounded(value));
    }
    row.emplace_back(static_cast<double>(line.points));
    row.push_back(line.others == 0 ? TableCell(std::string("-")) : rounded(line.others_median));
    row.emplace_back(static_cast<double>(line.others));
    row.emplace_back(verdict(line));
    table.rows.push_back(std::move(row));
  }
  return aligned_text(table);
}

}  // namespace forewarp::scores
