// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/path_view.h"

#include <algorithm>

#include "base/text.h"
#include "report/phrases.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

using Line = Result::ListingLine;
constexpr std::size_t shown_steps = 5;

/// From one line of the path to the next; the step out of a loop holds its later passes, since a
/// line shows the issue of its first pass only.
struct Step {
  const Line* line = nullptr;
  double cycles = 0;
  bool leaves_loop = false;
};

std::vector<Step> steps_of(const Result& result) {
  std::vector<Step> steps;
  for (const Line& line : result.listing) {
    if (line.critical && line.issue_cycle >= 0) steps.push_back({&line, 0, false});
  }
  std::ranges::stable_sort(steps, {}, [](const Step& step) { return step.line->issue_cycle; });
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Line* next = i + 1 < steps.size() ? steps[i + 1].line : nullptr;
    const double end = next != nullptr ? next->issue_cycle : result.latency.cycles;
    steps[i].cycles = end - steps[i].line->issue_cycle;
    const int depth_after = next != nullptr ? next->loop_depth : 0;
    steps[i].leaves_loop = steps[i].line->loop_depth > depth_after;
  }
  return steps;
}

std::string sentence_of(const Result& result, std::size_t steps) {
  std::string text = "A lone warp takes " + number(result.latency.cycles) + " cycles";
  const std::string formula = latency_formula(result);
  if (!formula.empty()) text += ' ' + formula;
  return text + ", along " + std::to_string(steps) + " of " +
         std::to_string(result.listing.size()) + " instructions. These carry most of it:";
}

Row row_of(const Step& step, const Result& result) {
  const double share = step.cycles / result.latency.cycles;
  const bool looped = step.leaves_loop && step.line->executions > 1;
  return {{hex(step.line->address, 4), number(step.cycles), percent(share), "",
           std::string(trim(step.line->text)), looped ? "and all later passes of its loop" : ""},
          Tone::plain,
          share,
          share};
}

}  // namespace

Section PathView::content(const Result& result) const {
  Section section{"critical path", "", {}};
  section.narrow = true;
  std::vector<Step> steps = steps_of(result);
  if (steps.empty()) {
    section.add(Note{"this result carries no listing with a path", Tone::faint});
    return section;
  }
  section.add(Note{sentence_of(result, steps.size()), Tone::plain});
  std::ranges::stable_sort(steps, std::greater{}, &Step::cycles);
  steps.resize(std::min(steps.size(), shown_steps));
  Table table;
  table.columns = {{"address", Align::right, ""},    {"cycles", Align::right, ""},
                   {"of path", Align::right, ""},    {"", Align::bar, ""},
                   {"instruction", Align::code, ""}, {"", Align::left, ""}};
  for (const Step& step : steps) table.rows.push_back(row_of(step, result));
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
