// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/code/path_view.h"

#include <algorithm>

#include "base/text.h"
#include "report/phrases.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

using Line = Result::ListingLine;
constexpr std::size_t shown_steps = 5;

std::vector<const Line*> lines_of(const Result& result) {
  std::vector<const Line*> lines;
  for (const Line& line : result.listing) {
    if (line.critical && line.issue_cycle >= 0) lines.push_back(&line);
  }
  return lines;
}

double cycles_of(const std::vector<const Line*>& lines, bool in_loops) {
  double cycles = 0;
  for (const Line* line : lines) {
    if (!in_loops || line->loop_depth > 0) cycles += line->path_cycles;
  }
  return cycles;
}

/// `loops`: cycles within loops; `shown`: of the heaviest instructions.
std::string sentence_of(const Result& result, std::size_t steps, double loops, double shown) {
  std::string text = "A lone warp takes " + number(result.latency.cycles) + " cycles";
  const std::string formula = latency_formula(result);
  if (!formula.empty()) text += ' ' + formula;
  return text + ", along " + std::to_string(steps) + " of " +
         std::to_string(result.listing.size()) + " instructions" +
         (loops > 0 ? ", " + percent(loops / result.latency.cycles) + " of it in loops" : "") +
         ". The heaviest, " + percent(shown / result.latency.cycles) + " together:";
}

/// "14 in each of 64 passes" of the loops around it.
std::string passes_of(const Line& line) {
  if (line.loop_depth == 0 || !(line.executions > 1)) return "";
  return figure(line.path_cycles / line.executions, 3) + " in each of " + number(line.executions) +
         " passes";
}

Row row_of(const Line& line, const Result& result, bool sourced) {
  const double share = line.path_cycles / result.latency.cycles;
  Row row{{hex(line.address, 4), number(line.path_cycles), percent(share), "",
           std::string(trim(line.text)), passes_of(line)},
          Tone::plain,
          share,
          share};
  if (sourced) row.cells.insert(row.cells.begin() + 1, std::to_string(line.source_line));
  return row;
}

}  // namespace

Section PathView::content(const Result& result) const {
  Section section{"critical path", "", {}};
  section.narrow = true;
  std::vector<const Line*> lines = lines_of(result);
  if (lines.empty()) {
    section.add(Note{"this result carries no listing with a path", Tone::faint});
    return section;
  }
  const std::size_t steps = lines.size();
  const double loops = cycles_of(lines, true);
  std::ranges::stable_sort(lines, std::greater{}, &Line::path_cycles);
  lines.resize(std::min(lines.size(), shown_steps));
  section.add(Note{sentence_of(result, steps, loops, cycles_of(lines, false)), Tone::plain});
  Table table;
  table.columns = {{"address", Align::right, ""},    {"cycles", Align::right, ""},
                   {"of path", Align::right, ""},    {"", Align::bar, ""},
                   {"instruction", Align::code, ""}, {"", Align::left, ""}};
  const bool sourced =
      std::ranges::any_of(lines, [](const Line* line) { return line->source_line > 0; });
  if (sourced) table.columns.insert(table.columns.begin() + 1, {"line", Align::right, ""});
  for (const Line* line : lines) table.rows.push_back(row_of(*line, result, sourced));
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
