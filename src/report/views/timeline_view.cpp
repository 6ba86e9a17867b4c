// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/timeline_view.h"

#include "base/text.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

Table clocks(const Result& result) {
  Table table;
  table.columns = {{"block", Align::right, ""},
                   {"warp", Align::right, ""},
                   {"clock, used", Align::right, ""},
                   {"clock, read", Align::right, ""}};
  for (const Result::ClockedWarp& c : result.clocks) {
    table.rows.push_back(
        {{number(c.block), number(c.warp), number(c.used_cycles), number(c.read_cycles)},
         Tone::plain,
         std::nullopt,
         0});
  }
  return table;
}

Table issues(const Result& result) {
  Table table;
  table.columns = {{"cycle", Align::right, ""},     {"", Align::bar, ""},
                   {"scheduler", Align::right, ""}, {"block", Align::right, ""},
                   {"warp", Align::right, ""},      {"address", Align::right, ""},
                   {"instruction", Align::code, ""}};
  const double end = result.timeline.back().cycle;
  for (const Result::Issue& i : result.timeline) {
    table.rows.push_back({{number(i.cycle), "", number(i.scheduler), number(i.block),
                           "W" + number(i.warp), hex(i.address, 4), i.text},
                          Tone::plain,
                          end > 0 ? i.cycle / end : 0,
                          0});
  }
  return table;
}

}  // namespace

Section TimelineView::content(const Result& result) const {
  Section section{"timeline", "", {}};
  if (!result.clocks.empty()) section.add(clocks(result));
  if (result.timeline.empty()) {
    section.add(Note{"no issue was kept: --model sim --option sim.timeline=100", Tone::faint});
    return section;
  }
  section.add(issues(result));
  return section;
}

}  // namespace forewarp::report
