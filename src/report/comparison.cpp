// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/comparison.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/text.h"
#include "report/axes.h"
#include "report/phrases.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

constexpr std::size_t shown_errors = 8;

bool has_time(const Result& result) {
  return !result.error && std::isfinite(result.time_ms);
}

std::string position(const std::vector<Axis>& axes, std::size_t index) {
  std::vector<std::string> parts;
  for (const Axis& axis : axes) {
    if (!axis.values[index].empty()) parts.push_back(axis.name + '=' + axis.values[index]);
  }
  return join(parts, " ");
}

Row row_of(const Result& result, const std::vector<Axis>& axes, std::size_t index, double slowest) {
  Row row;
  for (const Axis& axis : axes) row.cells.push_back(dash_if_empty(axis.values[index]));
  if (!has_time(result)) {
    row.tone = Tone::bad;
    row.cells.insert(row.cells.end(), {"-", "", "-", "-", result.error ? "error" : "-"});
    return row;
  }
  row.bar = slowest > 0 ? result.time_ms / slowest : 0;
  row.cells.insert(row.cells.end(),
                   {duration(result.time_ms), "", interval_text(result),
                    std::to_string(result.occupancy.warps_per_sm), limit_label(result)});
  return row;
}

void add_extremes(const std::vector<Result>& results, const std::vector<Axis>& axes,
                  Section& section) {
  std::vector<std::size_t> timed;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (has_time(results[i])) timed.push_back(i);
  }
  if (timed.size() < 2) return;
  const auto time_of = [&](std::size_t i) { return results[i].time_ms; };
  const auto [low, high] = std::ranges::minmax_element(timed, {}, time_of);
  const double ratio = time_of(*high) / time_of(*low);
  section.add(
      Facts{{{"fastest", duration(time_of(*low)), position(axes, *low), Tone::good},
             {"slowest", duration(time_of(*high)),
              position(axes, *high) + ": " + figure(ratio, 3) + " times as long", Tone::plain}}});
}

void add_errors(const std::vector<Result>& results, const std::vector<Axis>& axes,
                Section& section) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].error || ++count > shown_errors) continue;
    section.add(Note{"error: " + position(axes, i) + ": " + results[i].error->line(), Tone::bad});
  }
  if (count > shown_errors) {
    section.add(Note{std::to_string(count - shown_errors) + " more errors", Tone::bad});
  }
}

}  // namespace

std::string comparison_title(const std::vector<Result>& results) {
  std::set<std::string> kernels;
  std::set<std::string> boards;
  for (const Result& result : results) {
    kernels.insert(result.kernel.name);
    boards.insert(gpu_label(result));
  }
  const auto one_or_count = [](const std::set<std::string>& names, const char* things) {
    return names.size() == 1 ? dash_if_empty(*names.begin())
                             : std::to_string(names.size()) + ' ' + things;
  };
  return one_or_count(kernels, "kernels") + " on " + one_or_count(boards, "GPUs") + ": " +
         std::to_string(results.size()) + (results.size() == 1 ? " prediction" : " predictions");
}

Section comparison(const std::vector<Result>& results) {
  Section section{comparison_title(results), "", {}};
  const std::vector<Axis> axes = varying_axes(results);
  double slowest = 0;
  for (const Result& result : results) {
    if (has_time(result)) slowest = std::max(slowest, result.time_ms);
  }
  Table table;
  for (const Axis& axis : axes) {
    const bool long_names = axis.name == "kernel" || axis.name == "id";
    table.columns.push_back({axis.name,
                             !axis.numbers.empty() ? Align::right
                             : long_names          ? Align::text
                                                   : Align::left,
                             ""});
  }
  for (Column& column : std::vector<Column>{{"time", Align::right, ""},
                                            {"", Align::bar, ""},
                                            {"range", Align::left, ""},
                                            {"warps/SM", Align::right, ""},
                                            {"limited by", Align::text, ""}}) {
    table.columns.push_back(std::move(column));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    table.rows.push_back(row_of(results[i], axes, i, slowest));
  }
  section.add(std::move(table));
  add_extremes(results, axes, section);
  add_errors(results, axes, section);
  return section;
}

std::string where_of(const std::vector<Result>& results, std::size_t index) {
  return position(varying_axes(results), index);
}

}  // namespace forewarp::report
