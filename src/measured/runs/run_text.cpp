// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/runs/run_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "measured/points/csv_table.h"

namespace forewarp::measured {
namespace {

constexpr std::size_t bar_width = 40;

std::optional<std::size_t> chosen_column(const CsvTable& table, std::string_view name) {
  if (!name.empty()) return table.column(name);
  if (table.columns.size() == 1) return 0;
  return table.column("time_ms");
}

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::string percent(double part) {
  return fmt::format("{:.1f} %", 100 * part);
}

std::string histogram_text(const RunStatistics& s) {
  std::size_t most = 1;
  for (const RunBin& bin : s.histogram) most = std::max(most, bin.count);
  std::string text;
  for (const RunBin& bin : s.histogram) {
    const std::size_t bar = (bin.count * bar_width + most - 1) / most;
    text += fmt::format("  {:>12} .. {:<12} {:>7} {:>8}  {}\n", significant(bin.low, 6),
                        significant(bin.high, 6), bin.count, percent(bin.cumulative),
                        std::string(bar, '#'));
  }
  return text.empty() ? text : "\nhistogram: runs, and share up to there\n" + text;
}

std::string clusters_text(const RunStatistics& s) {
  std::string text = fmt::format("\nclusters: parted by more than {}\n", significant(s.gap, 6));
  for (std::size_t c = 0; c < s.clusters.size(); ++c) {
    const RunCluster& cluster = s.clusters[c];
    text += fmt::format("  {:>12} .. {:<12} {:>7} {:>8}{}\n", significant(cluster.low, 6),
                        significant(cluster.high, 6), cluster.count,
                        percent(share(cluster.count, s.count)), c == s.largest ? "  most" : "");
  }
  return text;
}

std::string number(double value) {
  return fmt::format("{}", value);
}

std::string bound_json(const RunStatistics& s) {
  if (!s.bound) return {};
  return fmt::format(", \"bound\": {}, \"covered\": {}, \"coverage\": {}", number(*s.bound),
                     s.covered, number(share(s.covered, s.count)));
}

}  // namespace

Expected<std::vector<double>> runs_in_column(std::string_view csv, std::string_view file,
                                             std::string_view column) {
  const auto table = parse_csv(csv, file);
  if (!table) return table.error();
  const auto place = chosen_column(*table, column);
  if (!place) {
    const std::string asked =
        column.empty() ? "has several columns" : "has no column '" + std::string(column) + "'";
    return Diagnostic{std::string(file), asked, "one of " + join(table->columns, ", "),
                      "name it with --column"};
  }
  std::vector<double> runs;
  for (std::size_t r = 0; r < table->rows.size(); ++r) {
    const std::string& cell = table->rows[r][*place];
    if (trim(cell).empty() || trim(cell) == "-") continue;
    const auto value = parse_number(trim(cell));
    if (!value || !std::isfinite(*value)) {
      return Diagnostic{
          std::string(file),
          "row " + std::to_string(r + 1) + " has '" + cell + "' in " + table->columns[*place],
          "a number", ""};
    }
    runs.push_back(*value);
  }
  if (runs.empty()) {
    return Diagnostic{std::string(file), "has no number in " + table->columns[*place],
                      "a run per row", ""};
  }
  return runs;
}

std::string run_text(const RunStatistics& s) {
  std::string text = fmt::format(
      "runs        {}\nbest        {}\nmean        {}  deviation {}\nmedian      {}\n"
      "worst       {}  {} above the best\nexceptions  {} ({})  outside the largest cluster\n",
      s.count, significant(s.best, 6), significant(s.mean, 6), significant(s.deviation),
      significant(s.median, 6), significant(s.worst, 6), significant(s.worst - s.best, 6),
      s.exceptions, percent(share(s.exceptions, s.count)));
  if (s.bound) {
    text += fmt::format("bound       {}  covers {} of {} ({})\n", significant(*s.bound, 6),
                        s.covered, s.count, percent(share(s.covered, s.count)));
  }
  return text + clusters_text(s) + histogram_text(s);
}

std::string run_json(const RunStatistics& s) {
  std::string clusters, bins;
  for (const RunCluster& c : s.clusters) {
    clusters += fmt::format("{}{{\"low\": {}, \"high\": {}, \"count\": {}}}",
                            clusters.empty() ? "" : ", ", number(c.low), number(c.high), c.count);
  }
  for (const RunBin& b : s.histogram) {
    bins += fmt::format("{}{{\"low\": {}, \"high\": {}, \"count\": {}, \"cumulative\": {}}}",
                        bins.empty() ? "" : ", ", number(b.low), number(b.high), b.count,
                        number(b.cumulative));
  }
  return fmt::format(
      "{{\"schema\": \"forewarp.runs/1\", \"runs\": {}, \"best\": {}, \"mean\": {}, \"median\": "
      "{}, "
      "\"worst\": {}, \"deviation\": {}, \"exceptions\": {}, \"largest\": {}, \"gap\": {}{}, "
      "\"clusters\": [{}], \"histogram\": [{}]}}\n",
      s.count, number(s.best), number(s.mean), number(s.median), number(s.worst),
      number(s.deviation), s.exceptions, s.largest, number(s.gap), bound_json(s), clusters, bins);
}

}  // namespace forewarp::measured
