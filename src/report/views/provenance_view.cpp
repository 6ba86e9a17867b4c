// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/provenance_view.h"

#include "report/quantity.h"

namespace forewarp::report {

Section ProvenanceView::content(const Result& result) const {
  Section section{"provenance: the hardware numbers used", result.gpu.file, {}};
  Table table;
  table.columns = {{"number", Align::left, ""},
                   {"value", Align::right, ""},
                   {"unit", Align::left, ""},
                   {"confidence", Align::left, ""},
                   {"source", Align::text, ""}};
  for (const Result::Provenance& number : result.provenance) {
    const bool weak = number.confidence == "assumed";
    table.rows.push_back({{number.path, figure(number.value, 6), dash_if_empty(number.unit),
                           dash_if_empty(number.confidence), dash_if_empty(number.source)},
                          weak ? Tone::warning : Tone::plain,
                          std::nullopt,
                          0});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
