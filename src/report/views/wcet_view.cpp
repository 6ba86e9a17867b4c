// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/wcet_view.h"

#include "base/text.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

using Worst = Result::WorstCase;

Facts head(const Worst& worst) {
  Facts facts;
  facts.entries.push_back(
      {"at most", number(worst.cycles) + " cycles", duration(worst.time_ms), Tone::strong});
  facts.entries.push_back({"path", worst.path,
                           worst.path == "executed"
                               ? "the ways that the warps took"
                               : "all ways that control flow and loops allow"});
  facts.entries.push_back({"warps", number(worst.warps),
                           worst.interference_cycles > 0
                               ? number(worst.interference_cycles) + " cycles in each other's way"
                               : ""});
  facts.entries.push_back({"hardest to tell", worst.component, worst.timing_class, Tone::warning});
  return facts;
}

Table components(const Worst& worst) {
  Table table;
  table.columns = {{"component", Align::left, ""},
                   {"cycles", Align::right, ""},
                   {"class", Align::left, ""},
                   {"because", Align::text, ""}};
  for (const Worst::Component& c : worst.components) {
    table.rows.push_back({{c.name, number(c.cycles), c.timing_class, c.because},
                          Tone::plain,
                          std::nullopt,
                          worst.cycles > 0 ? c.cycles / worst.cycles : 0});
  }
  return table;
}

Table regions(const Worst& worst) {
  Table table;
  table.columns = {{"region", Align::left, ""},  {"passes", Align::right, ""},
                   {"cycles", Align::right, ""}, {"longest pass", Align::right, ""},
                   {"load", Align::right, ""},   {"compute", Align::right, ""},
                   {"store", Align::right, ""}};
  for (const Worst::Region& r : worst.per_region) {
    table.rows.push_back({{hex(r.begin, 4) + " .. " + hex(r.end, 4), number(r.count),
                           number(r.cycles), number(r.longest), number(r.load_cycles),
                           number(r.compute_cycles), number(r.store_cycles)},
                          Tone::plain,
                          std::nullopt,
                          worst.cycles > 0 ? r.cycles / worst.cycles : 0});
  }
  return table;
}

}  // namespace

Section WcetView::content(const Result& result) const {
  Section section{"upper bound", "", {}};
  const Worst& worst = result.wcet;
  if (worst.cycles <= 0) {
    section.add(Note{"no upper bound was asked for: --wcet", Tone::faint});
    return section;
  }
  section.add(head(worst));
  section.add(components(worst));
  section.add(regions(worst));
  for (const std::string& text : worst.assumptions) section.add(Note{"assumed: " + text});
  return section;
}

}  // namespace forewarp::report
