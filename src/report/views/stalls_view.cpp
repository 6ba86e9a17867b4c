// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/stalls_view.h"

#include <algorithm>
#include <utility>

#include "report/quantity.h"
#include "result/stall_label.h"

namespace forewarp::report {
namespace {

/// Stalls that vanish with the latencies, and those that vanish with the limits of rates.
std::string both_kinds(const Result& result) {
  double latencies = 0, rates = 0;
  for (const auto& [key, share] : result.stalls) {
    if (is_bandwidth_stall(key)) rates += share;
    if (is_latency_stall(key)) latencies += share;
  }
  if (latencies + rates <= 0) return "";
  return "latency stalls " + percent(latencies) + ", bandwidth stalls " + percent(rates);
}

}  // namespace

Section StallsView::content(const Result& result) const {
  Section section{"stalls: where a warp's cycles go", both_kinds(result), {}};
  section.narrow = true;
  Table table;
  table.columns = {{"reason", Align::left, ""}, {"share", Align::right, ""}, {"", Align::bar, ""}};
  std::vector<std::pair<std::string, double>> stalls(result.stalls.begin(), result.stalls.end());
  std::ranges::stable_sort(stalls, std::greater{}, &std::pair<std::string, double>::second);
  for (const auto& [reason, share] : stalls) {
    table.rows.push_back(
        {{stall_label(result, reason), percent(share), ""}, Tone::plain, share, share});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
