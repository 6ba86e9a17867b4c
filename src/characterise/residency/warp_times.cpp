// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/residency/warp_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

constexpr std::array<std::string_view, 3> column_names = {"sm", "start", "end"};

std::string place_of_line(std::string_view name, std::size_t line) {
  return std::string(name) + ":" + std::to_string(line);
}

Expected<WarpTime> warp_of(const std::vector<std::string_view>& fields,
                           const std::array<std::size_t, 3>& columns, std::string_view name,
                           std::size_t line) {
  std::array<double, 3> numbers{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string_view field =
        columns[i] < fields.size() ? trim(fields[columns[i]]) : std::string_view();
    const auto number = parse_number(field);
    if (!number || !std::isfinite(*number) || *number < 0) {
      return Diagnostic{place_of_line(name, line),
                        std::string(column_names[i]) + " is '" + std::string(field) + "'",
                        "a number from 0", ""};
    }
    numbers[i] = *number;
  }
  constexpr double most_sms = 1 << 20;
  if (numbers[0] != std::floor(numbers[0]) || numbers[0] > most_sms) {
    return Diagnostic{place_of_line(name, line), "sm is " + significant(numbers[0]),
                      "a whole number", ""};
  }
  if (numbers[2] < numbers[1]) {
    return Diagnostic{place_of_line(name, line), "the warp ends before it starts",
                      "start <= end, on one clock of all SMs", ""};
  }
  return WarpTime{static_cast<std::uint32_t>(numbers[0]), numbers[1], numbers[2]};
}

/// Changes of one SM: +1 where a warp starts, -1 where it ends; ends first.
double most_at_once(const std::vector<WarpTime>& warps) {
  std::vector<std::pair<double, int>> changes;
  for (const WarpTime& warp : warps) {
    changes.emplace_back(warp.start, 1);
    changes.emplace_back(warp.end, -1);
  }
  std::sort(changes.begin(), changes.end());
  double now = 0, most = 0;
  for (const auto& [at, change] : changes) most = std::max(most, now += change);
  return most;
}

double spent(const std::vector<WarpTime>& warps) {
  double sum = 0;
  for (const WarpTime& warp : warps) sum += warp.end - warp.start;
  return sum;
}

Residency on_sm(std::uint32_t sm, const std::vector<WarpTime>& warps) {
  Residency own{sm, warps.front().start, warps.front().end, static_cast<double>(warps.size())};
  for (const WarpTime& warp : warps) {
    own.begin = std::min(own.begin, warp.start);
    own.end = std::max(own.end, warp.end);
  }
  own.most = most_at_once(warps);
  own.mean = own.end > own.begin ? spent(warps) / (own.end - own.begin) : own.most;
  return own;
}

}  // namespace

Expected<std::vector<WarpTime>> read_warp_times(std::string_view text, std::string_view name) {
  std::vector<WarpTime> warps;
  std::optional<std::array<std::size_t, 3>> columns;
  std::size_t line = 0;
  for (const std::string_view row : split(text, '\n')) {
    ++line;
    if (trim(row).empty() || trim(row).front() == '#') continue;
    const auto fields = split(row, ',');
    if (!columns) {
      columns.emplace();
      for (std::size_t i = 0; i < column_names.size(); ++i) {
        const auto found = std::find_if(fields.begin(), fields.end(), [&](std::string_view field) {
          return lower(trim(field)) == column_names[i];
        });
        if (found == fields.end()) {
          return Diagnostic{place_of_line(name, line),
                            "there is no column '" + std::string(column_names[i]) + "'",
                            "columns sm, start and end", ""};
        }
        (*columns)[i] = static_cast<std::size_t>(found - fields.begin());
      }
      continue;
    }
    const auto warp = warp_of(fields, *columns, name, line);
    if (!warp) return warp.error();
    warps.push_back(*warp);
  }
  if (warps.empty()) {
    return Diagnostic{std::string(name), "holds no warps", "rows of sm, start and end", ""};
  }
  return warps;
}

ResidencyTrace residency_of(std::vector<WarpTime> warps, std::size_t parts) {
  ResidencyTrace trace;
  if (warps.empty()) return trace;
  std::map<std::uint32_t, std::vector<WarpTime>> by_sm;
  for (const WarpTime& warp : warps) by_sm[warp.sm].push_back(warp);
  double first_done = 0, most_spent = 0;
  for (const auto& [sm, own] : by_sm) {
    const Residency found = on_sm(sm, own);
    const bool is_first = trace.sms.empty();
    trace.begin = is_first ? found.begin : std::min(trace.begin, found.begin);
    first_done = is_first ? found.end : std::min(first_done, found.end);
    trace.end = std::max(trace.end, found.end);
    trace.most = std::max(trace.most, found.most);
    most_spent = std::max(most_spent, spent(own));
    trace.sms.push_back(found);
  }
  const double sms = static_cast<double>(trace.sms.size()), time = trace.end - trace.begin;
  const double all = spent(warps);
  if (all > 0) trace.imbalance = most_spent / (all / sms);
  trace.over_time.assign(parts, 0);
  if (time <= 0) return trace;
  trace.mean = all / sms / time;
  trace.tail = (trace.end - first_done) / time;
  const double width = time / static_cast<double>(parts);
  for (const WarpTime& warp : warps) {
    const double from = (warp.start - trace.begin) / width, to = (warp.end - trace.begin) / width;
    for (auto part = static_cast<std::size_t>(from); part < parts; ++part) {
      const double low = static_cast<double>(part);
      const double overlap = std::min(to, low + 1) - std::max(from, low);
      if (overlap <= 0) break;
      trace.over_time[part] += overlap / sms;
    }
  }
  return trace;
}

}  // namespace forewarp::characterise
