// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/listing_view.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

using Line = Result::ListingLine;

/// What a line costs a lone warp: how often it runs times what its result takes.
double cost_of(const Line& line) {
  return line.executions * std::max(1.0, line.latency);
}

std::string executions_of(const Line& line) {
  if (!std::isfinite(line.executions)) return dash_if_empty(line.executions_formula);
  const std::string& formula = line.executions_formula;
  if (formula.empty() || parse_number(formula)) return number(line.executions);
  return formula + " = " + number(line.executions);
}

/// Loops as indentation, a dual-issued pair as the brace that listings print.
std::string text_of(const Line& line, bool second_of_pair) {
  std::string text(2 * static_cast<std::size_t>(std::max(0, line.loop_depth)), ' ');
  if (line.dual_with_next) text += "{ ";
  text += line.text;
  return second_of_pair ? text + " }" : text;
}

std::vector<Column> columns() {
  return {{"address", Align::right, ""},
          {"runs", Align::right, "how often each warp runs it"},
          {"class", Align::left, ""},
          {"pipe", Align::left, "the unit that it needs"},
          {"latency", Align::right, "cycles until its result can be used"},
          {"issue", Align::right, "cycle at which a lone warp issues it first; - is never"},
          {"*", Align::left, "lies on the latency-bound path, > starts a loop"},
          {"waits for", Align::left, "what held its issue, and for how long"},
          {"instruction", Align::code, ""}};
}

}  // namespace

Section ListingView::content(const Result& result) const {
  Section section{"listing", result.kernel.input, {}};
  if (result.listing.empty()) {
    section.add(Note{"this result carries no listing", Tone::faint});
    return section;
  }
  Table table;
  table.legend = true;
  table.columns = columns();
  double most = 0;
  for (const Line& line : result.listing) most = std::max(most, cost_of(line));
  bool second = false;
  for (const Line& line : result.listing) {
    const std::string marks = std::string(line.critical ? "*" : " ") + (line.loop_head ? ">" : " ");
    const bool reached = line.issue_cycle >= 0;
    table.rows.push_back(
        {{hex(line.address, 4), executions_of(line), line.instruction_class, line.pipe,
          number(line.latency), reached ? number(line.issue_cycle) : "-", marks, line.waits_for,
          text_of(line, second)},
         line.critical ? Tone::strong
         : reached     ? Tone::plain
                       : Tone::faint,
         std::nullopt,
         most > 0 ? cost_of(line) / most : 0});
    second = line.dual_with_next;
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
