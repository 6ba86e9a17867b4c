// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/assumptions_view.h"

#include <optional>
#include <utility>

#include "report/quantity.h"

namespace forewarp::report {

Section AssumptionsView::content(const Result& result) const {
  Section section{"assumptions", "", {}};
  Table table;
  table.columns = {{"id", Align::left, ""},
                   {"what is assumed", Align::text, ""},
                   {"change with", Align::left, ""}};
  for (const Result::Assumption& assumption : result.assumptions) {
    table.rows.push_back({{assumption.id, assumption.text, dash_if_empty(assumption.change_with)},
                          Tone::plain,
                          std::nullopt,
                          0});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
