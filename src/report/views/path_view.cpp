// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/path_view.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "report/phrases.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

using Line = Result::ListingLine;
constexpr std::size_t shown_steps = 5;

double cycles_of(const Line* line) {
  return line->executions * line->latency;
}

std::vector<const Line*> critical_lines(const Result& result) {
  std::vector<const Line*> lines;
  for (const Line& line : result.listing) {
    if (line.critical) lines.push_back(&line);
  }
  return lines;
}

std::string sentence_of(const Result& result, std::size_t steps) {
  std::string text = "A lone warp takes " + number(result.latency.cycles) + " cycles";
  const std::string formula = latency_formula(result);
  if (!formula.empty()) text += ' ' + formula;
  return text + ", along " + std::to_string(steps) + " of " +
         std::to_string(result.listing.size()) + " instructions. These carry most of it:";
}

}  // namespace

Section PathView::content(const Result& result) const {
  Section section{"critical path", "", {}};
  section.narrow = true;
  std::vector<const Line*> lines = critical_lines(result);
  if (lines.empty()) {
    section.add(Note{"-", Tone::faint});
    return section;
  }
  section.add(Note{sentence_of(result, lines.size()), Tone::plain});
  std::ranges::stable_sort(lines, std::greater{}, cycles_of);
  lines.resize(std::min(lines.size(), shown_steps));
  Table table;
  table.columns = {{"address", Align::right, ""},
                   {"cycles", Align::right, ""},
                   {"of path", Align::right, ""},
                   {"", Align::bar, ""},
                   {"instruction", Align::code, ""}};
  for (const Line* line : lines) {
    const double share = cycles_of(line) / result.latency.cycles;
    table.rows.push_back(
        {{hex(line->address, 4), number(cycles_of(line)), percent(share), "", line->text},
         Tone::plain,
         share,
         share});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
