// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/code/listing_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "report/causes.h"
#include "report/long_parts.h"
#include "report/quantity.h"
#include "result/simulation_waits.h"

namespace forewarp::report {
namespace {

using Line = Result::ListingLine;

std::string executions_of(const Line& line, LongParts& parts) {
  const std::string formula = parts.shortened(line.executions_formula);
  if (!std::isfinite(line.executions)) return dash_if_empty(formula);
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

/// Lanes and memory are shown where the kernel was executed and there is something to tell.
struct Extra {
  bool lanes = false, memory = false, source = false;
  std::map<std::uint32_t, const SimulationFacts::Instruction*> simulated;  ///< by address
};

Extra extra_of(const Result& result) {
  Extra extra;
  double most = 0;
  for (const Line& line : result.listing) most = std::max(most, line.lanes);
  for (const Line& line : result.listing) {
    extra.lanes = extra.lanes || (line.lanes > 0 && line.lanes < most);
    extra.memory = extra.memory || !line.memory.empty();
    extra.source = extra.source || line.source_line != 0;
  }
  for (const auto& seen : result.simulation.instructions) extra.simulated[seen.address] = &seen;
  return extra;
}

std::vector<Column> columns(const Extra& extra) {
  std::vector<Column> all{{"address", Align::right, ""}};
  if (extra.source) all.push_back({"line", Align::right, "of the source"});
  all.push_back({"runs", Align::right, "how often each warp runs it"});
  if (extra.lanes) all.push_back({"lanes", Align::right, "of a warp that it acts for"});
  if (extra.memory) all.push_back({"memory", Align::left, "what one warp's access asks for"});
  if (!extra.simulated.empty()) {
    all.push_back({"stalls", Align::right, "cycles that its warp waits per issue, simulated"});
    all.push_back({"mostly for", Align::left, ""});
  }
  const std::vector<Column> rest{
      {"class", Align::left, ""},
      {"pipe", Align::left, "the unit that it needs"},
      {"latency", Align::right, "cycles until its result can be used"},
      {"issue", Align::right, "cycle at which a lone warp issues it first; - is never"},
      {"*", Align::left, "lies on the latency-bound path, > starts a loop"},
      {"waits for", Align::left, "what held its issue, and for how long"},
      {"instruction", Align::code, ""}};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

std::vector<std::string> cells_of(const Line& line, const Extra& extra, bool second_of_pair,
                                  LongParts& parts) {
  const std::string marks = std::string(line.critical ? "*" : " ") + (line.loop_head ? ">" : " ");
  std::vector<std::string> cells{hex(line.address, 4)};
  if (extra.source) cells.push_back(line.source_line > 0 ? std::to_string(line.source_line) : "");
  cells.push_back(executions_of(line, parts));
  if (extra.lanes) cells.push_back(line.lanes > 0 ? figure(line.lanes, 3) : "");
  if (extra.memory) cells.push_back(line.memory);
  if (!extra.simulated.empty()) {
    const auto seen = extra.simulated.find(line.address);
    const bool known = seen != extra.simulated.end();
    cells.push_back(known ? figure(waited(*seen->second), 3) : "-");
    cells.push_back(known ? causes_of(*seen->second, 1) : "");
  }
  for (std::string cell : {line.instruction_class, line.pipe, number(line.latency),
                           line.issue_cycle >= 0 ? number(line.issue_cycle) : std::string("-"),
                           marks, line.waits_for, text_of(line, second_of_pair)}) {
    cells.push_back(std::move(cell));
  }
  return cells;
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
  const Extra extra = extra_of(result);
  table.columns = columns(extra);
  double most = 0;
  for (const Line& line : result.listing) most = std::max(most, line.time_share);
  bool second = false;
  LongParts parts;
  for (const Line& line : result.listing) {
    const bool reached = line.issue_cycle >= 0;
    table.rows.push_back({cells_of(line, extra, second, parts),
                          line.critical ? Tone::strong
                          : reached     ? Tone::plain
                                        : Tone::faint,
                          std::nullopt, most > 0 ? line.time_share / most : 0});
    second = line.dual_with_next;
  }
  section.add(std::move(table));
  if (const std::string legend = parts.legend(); !legend.empty()) {
    section.add(Note{legend, Tone::faint});
  }
  return section;
}

}  // namespace forewarp::report
