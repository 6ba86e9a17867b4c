// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/validation_text.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "scores/counters.h"
#include "sweep/results_table.h"

namespace forewarp::validation {

namespace {

/// "12.3" of 0.123; '-' where there is no value.
TableCell percent(double share) {
  if (!std::isfinite(share)) return std::string("-");
  const double value = std::round(share * 1000) / 10;
  return value == 0 ? 0.0 : value;
}

TableCell rounded(double value) {
  if (!std::isfinite(value)) return std::string("-");
  return std::round(value * 1000) / 1000;
}

std::string or_all(const std::string& name) {
  return name.empty() ? "all" : name;
}

const std::vector<std::string>& score_columns() {
  static const std::vector<std::string> columns{
      "points", "refused", "MAPE %",  "bias %",  "p/t",      "p90 %",    "worst %", "scaled %",
      "rho",    "tau",     "top-1 %", "top-5 %", "top-10 %", "inside %", "width %"};
  return columns;
}

void add_scores(const ScoreLine& line, TableRow& row) {
  const Scores& s = line.scores;
  row.emplace_back(static_cast<double>(s.points));
  row.emplace_back(static_cast<double>(line.refused));
  if (s.points == 0) {
    row.resize(row.size() + score_columns().size() - 2);
    return;
  }
  for (const TableCell& cell :
       {percent(s.mape), percent(s.bias), rounded(s.ratio), percent(s.p90), percent(s.worst),
        percent(s.scaled_mape), rounded(s.spearman), rounded(s.kendall), percent(s.regret_1),
        percent(s.regret_5), percent(s.regret_10), percent(s.coverage), percent(s.width)}) {
    row.push_back(cell);
  }
}

/// A line per kernel says little where there are many, and one per kernel and GPU soon does.
bool is_shown(const ScoreLine& line, std::size_t kernels, bool every_kernel) {
  constexpr std::size_t few = 12;
  return line.kernel.empty() || every_kernel || (line.gpu.empty() && kernels <= few);
}

ResultsTable score_table(const ValidatedSet& set, bool every_kernel) {
  std::set<std::string> kernels;
  for (const ScoreLine& line : set.lines) kernels.insert(line.kernel);
  ResultsTable table;
  table.columns = {"part", "GPU", "kernel"};
  table.columns.insert(table.columns.end(), score_columns().begin(), score_columns().end());
  for (const ScoreLine& line : set.lines) {
    if (!is_shown(line, kernels.size(), every_kernel)) continue;
    TableRow row{line.part.empty() ? "judged" : line.part, or_all(line.gpu), or_all(line.kernel)};
    add_scores(line, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

ResultsTable worst_table(const std::vector<const ScoredPoint*>& points) {
  ResultsTable table;
  table.columns = {"most wrong",   "GPU",     "kernel",    "measured ms",
                   "predicted ms", "error %", "limited by"};
  for (const ScoredPoint* point : points) {
    table.rows.push_back({point->id, point->gpu, point->kernel, point->measured_ms,
                          point->predicted_ms, percent(point->relative_error()),
                          point->limited_by});
  }
  return table;
}

ResultsTable group_table(const ValidatedSet& set) {
  ResultsTable table;
  table.columns = {"part", "group", "points", "median measured ms", "predicted ms", "MAPE %"};
  for (const GroupLine& line : set.groups) {
    table.rows.push_back({line.part.empty() ? "judged" : line.part, line.group,
                          static_cast<double>(line.points), line.measured_ms, line.predicted_ms,
                          percent(line.mape)});
  }
  return table;
}

std::string baseline_text(const ValidatedSet& set) {
  std::vector<std::string> parts;
  for (const BaselineLine& line : set.baselines) {
    std::string part = line.name + " " + significant(std::round(line.mape * 1000) / 10) + " %";
    if (std::isfinite(line.spearman)) part += " (rho " + significant(line.spearman, 2) + ")";
    parts.push_back(std::move(part));
  }
  return parts.empty() ? ""
                       : "trivial predictors after one free factor: " + join(parts, ", ") + '\n';
}

std::string models_text(const ValidatedSet& set) {
  std::vector<std::string> parts;
  for (const ModelLine& line : set.models) {
    if (!line.gpu.empty()) continue;
    parts.push_back(line.model + " " + significant(std::round(line.scores.mape * 1000) / 10) +
                    " %");
  }
  return parts.size() < 2 ? "" : "each model alone: " + join(parts, ", ") + '\n';
}

/// "3.515" of 0.03515: published errors have that many digits.
std::string fine(double value) {
  return fmt::format("{:.3f}", value);
}

std::string reference_text(const ValidatedSet& set) {
  if (set.references.empty() || set.references.front().points == 0) return {};
  ResultsTable table;
  table.columns = {set.reference, "points",     "MAPE %",      "MAE ms",
                   "RMSE ms",     "own MAPE %", "own scaled %"};
  for (const ReferenceLine& line : set.references) {
    table.rows.push_back({or_all(line.kernel), static_cast<double>(line.points),
                          fine(100 * line.mape), fine(line.mae_ms), fine(line.rmse_ms),
                          fine(100 * line.own_mape), fine(100 * line.own_scaled)});
  }
  return aligned_text(table);
}

std::string refusals_text(const ValidatedSet& set) {
  constexpr std::size_t shown = 3;
  std::string text;
  std::size_t refused = 0;
  for (const ScoredPoint& point : set.points) {
    if (point.predicted()) continue;
    if (refused++ < shown) text += "refused " + point.id + ": " + point.error + '\n';
  }
  if (refused > shown) text += "and " + std::to_string(refused - shown) + " more\n";
  return text;
}

std::string summary_text(const Validation& validation) {
  ResultsTable table;
  table.columns = {"set"};
  table.columns.insert(table.columns.end(), score_columns().begin(), score_columns().end());
  for (const ValidatedSet& set : validation.sets) {
    TableRow row{set.name};
    add_scores(set.lines.front(), row);
    table.rows.push_back(std::move(row));
  }
  return aligned_text(table);
}

}  // namespace

std::string validation_text(const Validation& validation, const ValidationDetail& detail) {
  std::string text;
  for (const ValidatedSet& set : validation.sets) {
    text += set.name + ": " + set.title + '\n';
    if (!set.source.empty()) text += "measured by " + set.source + '\n';
    text += aligned_text(score_table(set, detail.kernels)) + models_text(set) + baseline_text(set);
    text += reference_text(set);
    const auto worst = worst_points(set, detail.worst);
    if (!worst.empty()) text += aligned_text(worst_table(worst));
    if (detail.groups && !set.groups.empty()) text += aligned_text(group_table(set));
    text += counter_text(set);
    for (const std::string& note : set.notes) text += "note: " + note + '\n';
    text += refusals_text(set) + '\n';
  }
  if (validation.sets.size() > 1) text += summary_text(validation);
  return text;
}

}  // namespace forewarp::validation
