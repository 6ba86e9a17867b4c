// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/code/source_view.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "report/causes.h"
#include "report/phrases.h"
#include "report/quantity.h"
#include "report/views/code/loop_copies.h"
#include "result/labels.h"

namespace forewarp::report {
namespace {

constexpr double worth_a_word = 0.005;  ///< shares below it are left blank

std::string share(double value) {
  return value < worth_a_word ? "" : percent(value);
}

std::string text_of(const Result::SourceLine& line) {
  if (line.line == 0) return "(instructions of no line)";
  return line.text.empty() ? "(source not at hand)" : line.text;
}

std::string lines_of(const Result::SourceLoop& loop) {
  return loop.first_line == loop.last_line
             ? "line " + std::to_string(loop.first_line)
             : "lines " + std::to_string(loop.first_line) + "-" + std::to_string(loop.last_line);
}

std::string passes_of(const Result& result, const Result::SourceLoop& loop) {
  std::string text = number(loop.trips) + " passes";
  const bool telling = !loop.formula.empty() && !parse_number(loop.formula);
  if (telling) text += " (" + loop.formula + ")";
  const std::uint32_t copies = loop_copies(result, loop);
  return copies > 1 ? text + " of " + std::to_string(copies) + " copies of the body: unrolled"
                    : text;
}

/// "lines 15-22: 64 passes (n/16) of 16 copies of the body: unrolled, 99.3 % of the time"; a loop
/// inside another stands in.
Facts loops_of(const Result& result) {
  Facts facts;
  for (const Result::SourceLoop& loop : result.source_loops) {
    facts.entries.push_back(
        {std::string(2 * static_cast<std::size_t>(std::max(0, loop.depth - 1)), ' ') + "loop",
         lines_of(loop),
         passes_of(result, loop) + ", " + percent(loop.time_share) + " of the time; from " +
             hex(loop.address, 4),
         Tone::plain});
  }
  return facts;
}

}  // namespace

Section SourceView::content(const Result& result) const {
  Section section{"source", result.kernel.input, {}};
  const Result::SourceLine* slowest = slowest_line(result);
  if (slowest == nullptr) {
    section.add(
        Note{"the code does not say which source lines it is of: give the .cu, or compile with "
             "-lineinfo",
             Tone::faint});
    return section;
  }
  section.add(Note{"slowest: line " + place_of(*slowest, result) + ", " +
                       percent(slowest->time_share) + " of the time (" + result.source_weighed_by +
                       ")" + (slowest->text.empty() ? "" : ": " + std::string(trim(slowest->text))),
                   Tone::strong});
  if (!result.source_loops.empty()) section.add(loops_of(result));
  Table table;
  table.columns = {{"line", Align::right, ""},     {"time", Align::right, ""},
                   {"", Align::bar, ""},           {"issues", Align::right, ""},
                   {"traffic", Align::right, ""},  {"memory", Align::left, ""},
                   {"waits for", Align::left, ""}, {"source", Align::code, ""}};
  for (const Result::SourceLine& line : result.source) {
    table.rows.push_back(
        {{line.line == 0 ? "-" : place_of(line, result), share(line.time_share), "",
          share(line.issue_share), share(line.traffic_share), line.memory,
          line.waits.empty() ? "" : kind_of_cause(line.waits).label, text_of(line)},
         &line == slowest ? Tone::strong : Tone::plain,
         line.time_share,
         slowest->time_share > 0 ? std::min(1.0, line.time_share / slowest->time_share) : 0});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
