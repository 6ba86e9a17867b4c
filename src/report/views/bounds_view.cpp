// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/bounds_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/quantity.h"

namespace forewarp::report {
namespace {

constexpr double tie = 0.02;  // bounds this close to the tightest limit together with it

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
  const auto is_limit = [&](const Result::Bound& bound) { return bound.resource == limit; };
  return limit.empty() || std::ranges::any_of(result.bounds, is_limit);
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
  const double most = a_bound_limits(result) ? tightest(result) : 0;
  for (const Result::Bound& bound : result.bounds) {
    const bool limits = most > 0 && bound.time_ms >= (1 - tie) * most;
    table.rows.push_back({{bound.label.empty() ? bound.resource : bound.label,
                           figure(bound.cycles_per_warp), duration(bound.time_ms),
                           percent(bound.share), "", bound.formula, limits ? "bottleneck" : ""},
                          limits ? Tone::strong : Tone::plain,
                          bound.share,
                          bound.share});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
