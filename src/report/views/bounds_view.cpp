// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/bounds_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.h"
#include "report/long_parts.h"
#include "report/quantity.h"
#include "result/labels.h"

namespace forewarp::report {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double told = 0.05;  // of the tightest: what is below is only named
constexpr double tie = 0.02;   // bounds this close to the tightest limit together with it

double tightest(const Result& result) {
  double most = 0;
  for (const Result::Bound& bound : result.bounds) {
    if (std::isfinite(bound.time_ms)) most = std::max(most, bound.time_ms);
  }
  return most;
}

/// Something that is no bound may limit: latency at low occupancy. Then no bound is the bottleneck.
bool a_bound_limits(const Result& result) {
  const std::string& limit = result.limited_by.resource;
  return limit.empty() || bound_of(result, limit) != nullptr;
}

Row row_of(const Result::Bound& bound, const std::string& label, bool limits, LongParts& parts) {
  return {{label, figure(bound.cycles_per_warp), duration(bound.time_ms), percent(bound.share), "",
           parts.shortened(bound.formula), limits ? "bottleneck" : ""},
          limits ? Tone::strong : Tone::plain,
          bound.share,
          bound.share};
}

}  // namespace

Section BoundsView::content(const Result& result) const {
  Section section{"bounds: if this were the only limit", "", {}};
  Table table;
  table.columns = {
      {"resource", Align::left, ""}, {"cycles/warp", Align::right, "cycles of an SM for each warp"},
      {"time", Align::right, ""},    {"of time", Align::right, "share of the predicted time"},
      {"", Align::bar, ""},          {"formula", Align::left, "cycles per warp"},
      {"", Align::left, ""}};
  const double most = tightest(result);
  const double bottleneck = a_bound_limits(result) && most > 0 ? (1 - tie) * most : infinite;
  std::vector<std::string> small;
  LongParts parts;
  for (const Result::Bound& bound : result.bounds) {
    const std::string& label = bound.label.empty() ? bound.resource : bound.label;
    if (bound.time_ms < told * most) {
      small.push_back(label);
    } else {
      table.rows.push_back(row_of(bound, label, bound.time_ms >= bottleneck, parts));
    }
  }
  section.add(std::move(table));
  if (const std::string legend = parts.legend(); !legend.empty()) {
    section.add(Note{legend, Tone::faint});
  }
  if (!small.empty()) {
    section.add(
        Note{"below " + percent(told) + " of the tightest: " + join(small, "; "), Tone::faint});
  }
  return section;
}

}  // namespace forewarp::report
