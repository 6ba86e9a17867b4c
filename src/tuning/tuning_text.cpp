// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/tuning_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "sweep/results_table.h"

namespace forewarp::tuning {

namespace {

using Kind = TuningCorrection::Kind;

TableCell time_cell(double ms) {
  if (ms > 0) return ms;
  return std::monostate{};
}

struct Columns {
  bool corrected = false;  ///< expected and measured times beside the predicted ones
  bool plain = false;      ///< names without blanks, for programs
  bool refined = false;    ///< which were predicted with more care, where not all were
};

std::vector<std::string> titles(const Tuning& tuning, const Columns& columns) {
  std::vector<std::string> all{columns.plain ? "rank" : "place"};
  all.insert(all.end(), tuning.parameters.begin(), tuning.parameters.end());
  if (columns.corrected) {
    all.insert(all.end(), {columns.plain ? "expected_ms" : "expected ms",
                           columns.plain ? "measured_ms" : "measured ms"});
  }
  if (columns.plain) {
    all.insert(all.end(), {"predicted_ms", "low_ms", "high_ms", "limited_by", "warps_per_sm",
                           "waves", "registers"});
  } else {
    all.insert(all.end(),
               {"predicted ms", "from", "to", "limited by", "warps/SM", "waves", "registers"});
    if (columns.refined) all.emplace_back("refined");
  }
  return all;
}

TableRow row_of(const Tuning& tuning, std::size_t index, std::size_t place,
                const Columns& columns) {
  const TunedPoint& point = tuning.points[index];
  TableRow row{static_cast<double>(place)};
  for (const std::string& word : point.words) row.emplace_back(word);
  if (columns.corrected) {
    row.push_back(time_cell(point.expected_ms));
    row.push_back(time_cell(point.measured_ms));
  }
  row.push_back(time_cell(point.predicted_ms));
  const bool interval = columns.plain || point.high_ms > point.low_ms;
  row.push_back(time_cell(interval ? point.low_ms : 0));
  row.push_back(time_cell(interval ? point.high_ms : 0));
  const bool labelled = !columns.plain && !point.limit_label.empty();
  row.emplace_back(labelled ? point.limit_label : point.limited_by);
  row.emplace_back(point.warps_per_sm);
  row.emplace_back(point.waves);
  row.emplace_back(static_cast<double>(point.registers));
  if (columns.refined) row.emplace_back(point.refined ? "yes" : "no");
  return row;
}

ResultsTable table_of(const Tuning& tuning, const std::vector<std::size_t>& points,
                      const Columns& columns) {
  ResultsTable table{titles(tuning, columns), {}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    table.rows.push_back(row_of(tuning, points[i], i + 1, columns));
  }
  return table;
}

std::vector<std::size_t> best(const Tuning& tuning, std::size_t top) {
  std::vector<std::size_t> points = tuning.ranking;
  if (top != 0 && top < points.size()) points.resize(top);
  return points;
}

std::string counts_line(const Tuning& tuning) {
  const std::size_t all = tuning.points.size();
  std::string text = fmt::format("{}, {}: ", tuning.title, tuning.gpu_name);
  if (tuning.whole > static_cast<double>(all)) {
    text += fmt::format("{} of {} configurations meet the restrictions", all,
                        significant(tuning.whole, 6));
  } else {
    text += fmt::format("{} configurations", all);
  }
  text += fmt::format(", {} are ranked", tuning.ranking.size());
  if (tuning.not_reached > 0) {
    text += fmt::format("; incomplete: {} were not reached before the run was ended",
                        tuning.not_reached);
  }
  return text + '\n';
}

std::string percent(double logarithm) {
  return fmt::format("{:.3g} %", 100 * logarithm);
}

/// How measured configurations changed the ranking.
std::string correction_text(const TuningCorrection& correction) {
  if (correction.measured == 0) return "";
  std::string text =
      fmt::format("{} configurations stand at their measured times; ", correction.measured);
  const std::string errors =
      fmt::format("foretold by the other measured ones, each is {} off instead of {}",
                  percent(correction.error_after), percent(correction.error_before));
  if (correction.kind == Kind::residual) {
    text += "the others are corrected by what those like them measured (" + errors + ")";
  } else if (correction.kind == Kind::factor) {
    text += fmt::format("the others take {} times as long as predicted ({}): their order stays",
                        significant(correction.factor, 3), errors);
  } else {
    text += "the others stay as predicted, which no correction betters";
  }
  if (correction.elsewhere > 0) {
    text +=
        fmt::format("; {} measured rows are no configuration of this space", correction.elsewhere);
  }
  if (correction.failed > 0) text += fmt::format("; {} rows have no time", correction.failed);
  return text + '\n';
}

const char* refusal_text(PointRefusal refused) {
  switch (refused) {
    case PointRefusal::no_launch:
      return "make no launch";
    case PointRefusal::no_code:
      return "do not compile";
    case PointRefusal::no_prediction:
      return "cannot be predicted";
    case PointRefusal::none:
      break;
  }
  return "";
}

std::string refusals_text(const Tuning& tuning) {
  constexpr std::size_t shown = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, tuning.refusals.size()); ++i) {
    const RefusedGroup& group = tuning.refusals[i];
    text += fmt::format("{} {}{}: {}\n", group.count, refusal_text(group.refused),
                        group.count > 1 ? ", such as" : "", group.reason);
  }
  if (tuning.refusals.size() > shown) {
    text += fmt::format("and {} further reasons\n", tuning.refusals.size() - shown);
  }
  return text;
}

}  // namespace

std::string tuning_text(const Tuning& tuning, std::size_t top) {
  const std::vector<std::size_t> shown = best(tuning, top);
  const auto refined = [&](std::size_t index) { return tuning.points[index].refined; };
  const bool some = std::ranges::any_of(shown, refined) && !std::ranges::all_of(shown, refined);
  const Columns columns{tuning.correction.measured > 0, false, some};
  std::string text = counts_line(tuning);
  if (!tuning.ranking.empty()) text += aligned_text(table_of(tuning, shown, columns));
  text += correction_text(tuning.correction);
  if (!tuning.next.empty()) {
    text +=
        "\nto be measured next: least time less a standard deviation of what is not known, each "
        "with those before it as measured\n";
    text += aligned_text(table_of(tuning, tuning.next, columns));
  }
  const std::string refusals = refusals_text(tuning);
  if (!refusals.empty()) text += "\nnot ranked:\n" + refusals;
  for (const std::string& note : tuning.notes) text += "note: " + note + '\n';
  return text;
}

std::string tuning_csv(const Tuning& tuning, std::size_t top) {
  const Columns columns{true, true, false};
  const ResultsTable table = table_of(tuning, best(tuning, top), columns);
  std::string text = csv_header(table.columns) + '\n';
  for (const TableRow& row : table.rows) text += csv_line(row) + '\n';
  return text;
}

}  // namespace forewarp::tuning
