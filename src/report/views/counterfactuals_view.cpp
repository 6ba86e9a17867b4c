// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/counterfactuals_view.h"

#include <algorithm>
#include <utility>

#include "report/quantity.h"

namespace forewarp::report {

Section CounterfactualsView::content(const Result& result) const {
  Section section{"counterfactuals: the time if this were free", "", {}};
  section.narrow = true;
  Table table;
  table.columns = {{"free", Align::left, ""},
                   {"time", Align::right, ""},
                   {"ratio", Align::right, "to the prediction"},
                   {"", Align::bar, ""},
                   {"then limited by", Align::left, ""}};
  for (const Result::Counterfactual& row : result.counterfactuals) {
    const double bar = std::clamp(row.ratio, 0.0, 1.0);
    table.rows.push_back({{row.label, duration(row.time_ms), figure(row.ratio, 3), "", row.then},
                          row.free.size() > 1 ? Tone::faint : Tone::plain,
                          bar,
                          1 - bar});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
