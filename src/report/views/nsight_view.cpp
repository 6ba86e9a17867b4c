// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/nsight_view.h"

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/quantity.h"
#include "result/profiler_metrics.h"

namespace forewarp::report {
namespace {

using Group = ProfilerMetric::Group;

constexpr std::array<std::pair<Group, std::string_view>, 5> titles{
    {{Group::launch, "launch"},
     {Group::speed, "speed of light"},
     {Group::instructions, "instructions"},
     {Group::memory, "memory"},
     {Group::waits, "warp states"}}};

/// Counts of a sample need not be whole; nobody reads their fractions.
std::string shown(double value) {
  constexpr double large = 1000;
  return value < large ? figure(value) : grouped(std::round(value));
}

}  // namespace

Section NsightView::content(const Result& result) const {
  Section section{"nsight: as Nsight Compute names it", "predicted, of the whole launch", {}};
  if (!result.predicted()) return section;
  const std::vector<ProfilerMetric> metrics = profiler_metrics(result);
  Table table;
  table.columns = {{"metric", Align::code, ""},
                   {"value", Align::right, ""},
                   {"unit", Align::left, ""},
                   {"", Align::text, ""}};
  std::optional<Group> group;
  for (const ProfilerMetric& metric : metrics) {
    if (group != metric.group) {
      const std::string_view title = titles[static_cast<std::size_t>(metric.group)].second;
      table.rows.push_back({{std::string(title), "", "", ""}, Tone::strong, std::nullopt});
      group = metric.group;
    }
    table.rows.push_back({{std::string(metric.name), shown(metric.value), std::string(metric.unit),
                           std::string(metric.meaning)},
                          Tone::plain,
                          std::nullopt});
  }
  section.add(std::move(table));
  return section;
}

}  // namespace forewarp::report
