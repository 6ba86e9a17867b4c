// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/provenance_view.h"

#include <optional>
#include <utility>

#include "base/text.h"
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
  for (const Result::Provenance& fact : result.provenance) {
    const bool weak = fact.confidence == "assumed";
    table.rows.push_back({{fact.path, significant(fact.value, 6), dash_if_empty(fact.unit),
                           dash_if_empty(fact.confidence), dash_if_empty(fact.source)},
                          weak ? Tone::warning : Tone::plain,
                          std::nullopt,
                          0});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
