// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/stalls_view.h"

#include <algorithm>
#include <utility>

#include "report/quantity.h"

namespace forewarp::report {

Section StallsView::content(const Result& result) const {
  Section section{"stalls: where a warp's cycles go", "", {}};
  section.narrow = true;
  Table table;
  table.columns = {{"reason", Align::left, ""}, {"share", Align::right, ""}, {"", Align::bar, ""}};
  std::vector<std::pair<std::string, double>> stalls(result.stalls.begin(), result.stalls.end());
  std::ranges::stable_sort(stalls, std::greater{}, &std::pair<std::string, double>::second);
  for (const auto& [reason, share] : stalls) {
    table.rows.push_back({{reason, percent(share), ""}, Tone::plain, share, share});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
