// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/execution_view.h"

#include <optional>
#include <utility>

#include "base/text.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

using Execution = Result::Execution;

constexpr std::size_t most_rows = 24;  // of a table; the rest is counted

std::string range_of(const Execution::Loop& loop) {
  if (loop.passes.empty()) return "-";
  const double low = loop.passes.front()[0], high = loop.passes.back()[0];
  return low == high ? number(low) : number(low) + " .. " + number(high);
}

Table loop_table(const Execution& execution) {
  Table table;
  table.columns = {{"loop", Align::left, ""},
                   {"entries", Align::right, "warps that came into it"},
                   {"mean passes", Align::right, "per entry"},
                   {"range", Align::right, ""},
                   {"formula", Align::left, "of the static analysis"}};
  for (const Execution::Loop& loop : execution.loops) {
    table.rows.push_back({{hex(loop.begin, 4) + " .. " + hex(loop.end, 4), amount(loop.entries),
                           figure(loop.mean_passes), range_of(loop), loop.formula},
                          Tone::plain,
                          std::nullopt});
  }
  return table;
}

Table branch_table(const Execution& execution) {
  Table table;
  table.columns = {{"branch", Align::left, ""},
                   {"warps", Align::right, "that came there"},
                   {"taken", Align::right, "share of the lanes"},
                   {"divergent", Align::right, "warps whose lanes went both ways"}};
  for (const Execution::Branch& branch : execution.branches) {
    table.rows.push_back({{hex(branch.address, 4), amount(branch.executed),
                           percent(branch.taken_share), amount(branch.divergent)},
                          branch.divergent > 0 ? Tone::strong : Tone::plain,
                          std::nullopt});
  }
  return table;
}

Table path_table(const Execution& execution) {
  Table table;
  table.columns = {{"warps", Align::right, "that took the same way"},
                   {"instructions", Align::right, "of each"},
                   {"first seen", Align::left, ""}};
  for (const Execution::Path& path : execution.paths) {
    if (table.rows.size() == most_rows) break;
    table.rows.push_back({{amount(path.warps), grouped(path.instructions),
                           "block " + grouped(path.block) + ", warp " + grouped(path.warp)},
                          Tone::plain,
                          std::nullopt});
  }
  return table;
}

Table access_table(const Execution& execution) {
  Table table;
  table.columns = {{"address", Align::right, ""},    {"space", Align::left, ""},
                   {"requests", Align::right, ""},   {"sectors/req", Align::right, ""},
                   {"wavefronts", Align::right, ""}, {"L1 hits", Align::right, ""},
                   {"L2 hits", Align::right, ""},    {"instruction", Align::code, ""}};
  for (const Execution::Access& access : execution.accesses) {
    table.rows.push_back({{hex(access.address, 4), access.space, amount(access.requests),
                           figure(access.sectors_per_request), amount(access.wavefronts),
                           percent(access.l1_hit_rate), percent(access.l2_hit_rate), access.text},
                          Tone::plain,
                          std::nullopt});
  }
  return table;
}

}  // namespace

Section ExecutionView::content(const Result& result) const {
  const Execution& execution = result.execution;
  Section section{
      "execution", "branch efficiency " + percent(result.profile.branch_efficiency), {}};
  if (execution == Execution{}) {
    section.aside.clear();
    section.add(Note{"the kernel was not executed: counts are static", Tone::faint});
    return section;
  }
  if (!execution.loops.empty()) section.add(loop_table(execution));
  if (!execution.branches.empty()) section.add(branch_table(execution));
  section.add(path_table(execution));
  double hidden = execution.other_paths_warps;
  for (std::size_t i = most_rows; i < execution.paths.size(); ++i)
    hidden += execution.paths[i].warps;
  if (hidden > 0) section.add(Note{amount(hidden) + " warps took other paths", Tone::faint});
  if (!execution.accesses.empty()) section.add(access_table(execution));
  return section;
}

}  // namespace forewarp::report
