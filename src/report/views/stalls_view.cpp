// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/stalls_view.h"

#include <algorithm>
#include <array>
#include <utility>

#include "report/quantity.h"

namespace forewarp::report {
namespace {

constexpr std::string_view bandwidth = "bandwidth_";

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> causes{
    {{"issued", "issuing"},
     {"dependence", "arithmetic latency"},
     {"memory_dram", "latency of device memory"},
     {"memory_l2", "latency of L2"},
     {"memory_l1", "latency of L1"},
     {"memory_shared", "latency of shared memory"},
     {"barrier", "barriers"},
     {"launch", "launch"},
     {"tail", "tail of the last wave"}}};

/// "waiting for device memory": the unit as the bounds call it.
std::string cause(const Result& result, const std::string& key) {
  for (const auto& [name, text] : causes) {
    if (key == name) return std::string(text);
  }
  if (!key.starts_with(bandwidth)) return key;
  const std::string unit = key.substr(bandwidth.size());
  for (const Result::Bound& bound : result.bounds) {
    if (bound.resource == unit) return "waiting for " + bound.label;
  }
  return unit == "registers" ? "waiting for register read ports" : "waiting for " + unit + " units";
}

/// Stalls that vanish with the latencies, and those that vanish with the limits of rates.
std::string both_kinds(const Result& result) {
  double latencies = 0, rates = 0;
  for (const auto& [key, share] : result.stalls) {
    if (key.starts_with(bandwidth)) rates += share;
    if (key == "dependence" || key == "barrier" || key.starts_with("memory_")) latencies += share;
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
    table.rows.push_back({{cause(result, reason), percent(share), ""}, Tone::plain, share, share});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
