// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/residency/warp_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

constexpr std::array<std::string_view, 3> column_names = {"sm", "start", "end"};

std::string place_of_line(std::string_view name, std::size_t line) {
  return std::string(name) + ":" + std::to_string(line);
}

/// Digits, or digits with a fraction, to the last digit; other forms of a number as a double.
std::optional<RecordedTime> recorded_time(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const bool is_plain = !whole.empty() && text.find_first_not_of("0123456789.") == text.npos;
  if (is_plain) {
    const auto number = parse_natural(whole);
    const auto rest = point == text.npos ? 0 : parse_number("0" + std::string(text.substr(point)));
    if (!number || !rest) return std::nullopt;
    return RecordedTime{*number, std::min(*rest, std::nextafter(1.0, 0.0))};
  }
  constexpr double too_large = 0x1p64;
  const auto number = parse_number(text);
  if (!number || !(*number >= 0 && *number < too_large)) return std::nullopt;
  const double floor = std::floor(*number);
  return RecordedTime{static_cast<std::uint64_t>(floor), *number - floor};
}

Expected<WarpTime> warp_of(const std::vector<std::string_view>& fields,
                           const std::array<std::size_t, 3>& columns, std::string_view name,
                           std::size_t line) {
  std::array<RecordedTime, 3> numbers{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string_view field =
        columns[i] < fields.size() ? trim(fields[columns[i]]) : std::string_view();
    const auto number = recorded_time(field);
    if (!number) {
      return Diagnostic{place_of_line(name, line),
                        std::string(column_names[i]) + " is '" + std::string(field) + "'",
                        "a number from 0, below 2^64", ""};
    }
    numbers[i] = *number;
  }
  constexpr std::uint64_t most_sms = 1 << 20;
  if (numbers[0].fraction > 0 || numbers[0].whole > most_sms) {
    return Diagnostic{place_of_line(name, line), "sm is " + numbers[0].text(), "a whole number",
                      ""};
  }
  if (numbers[2] < numbers[1]) {
    return Diagnostic{place_of_line(name, line), "the warp ends before it starts",
                      "start <= end, on one clock of all SMs", ""};
  }
  return WarpTime{static_cast<std::uint32_t>(numbers[0].whole), numbers[1], numbers[2]};
}

/// Changes of one SM: +1 where a warp starts, -1 where it ends; ends first.
double most_at_once(const std::vector<WarpTime>& warps) {
  std::vector<std::pair<RecordedTime, int>> changes;
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
  for (const WarpTime& warp : warps) sum += warp.end.since(warp.start);
  return sum;
}

Residency on_sm(std::uint32_t sm, const std::vector<WarpTime>& warps) {
  Residency own{sm, warps.front().start, warps.front().end, static_cast<double>(warps.size())};
  for (const WarpTime& warp : warps) {
    own.begin = std::min(own.begin, warp.start);
    own.end = std::max(own.end, warp.end);
  }
  own.most = most_at_once(warps);
  own.mean = own.end > own.begin ? spent(warps) / own.end.since(own.begin) : own.most;
  return own;
}

/// Adds the warps on an SM to each part of the time by how long they were there.
void spread(const std::vector<WarpTime>& warps, ResidencyTrace& trace) {
  const double parts = static_cast<double>(trace.over_time.size());
  const double width = trace.end.since(trace.begin) / parts;
  for (const WarpTime& warp : warps) {
    const double from = warp.start.since(trace.begin) / width;
    const double to = warp.end.since(trace.begin) / width;
    for (auto part = static_cast<std::size_t>(from); part < trace.over_time.size(); ++part) {
      const double low = static_cast<double>(part);
      const double overlap = std::min(to, low + 1) - std::max(from, low);
      if (overlap <= 0) break;
      trace.over_time[part] += overlap / trace.sm_count;
    }
  }
}

}  // namespace

double RecordedTime::since(const RecordedTime& earlier) const {
  return static_cast<double>(whole - earlier.whole) + (fraction - earlier.fraction);
}

std::string RecordedTime::text() const {
  std::string digits = fmt::format("{:.9f}", fraction);
  const std::uint64_t carry = digits.front() == '1' ? 1 : 0;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return std::to_string(whole + carry) + digits.substr(1);
}

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

std::uint32_t sms_with_warps(const std::vector<WarpTime>& warps) {
  std::set<std::uint32_t> seen;
  for (const WarpTime& warp : warps) seen.insert(warp.sm);
  return static_cast<std::uint32_t>(seen.size());
}

ResidencyTrace residency_of(const std::vector<WarpTime>& warps, std::size_t parts,
                            std::uint32_t sm_count) {
  ResidencyTrace trace;
  trace.sm_count = sm_count;
  if (warps.empty()) return trace;
  std::map<std::uint32_t, std::vector<WarpTime>> by_sm;
  for (const WarpTime& warp : warps) by_sm[warp.sm].push_back(warp);
  RecordedTime first_done;
  double most_spent = 0;
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
  if (by_sm.size() < sm_count) first_done = trace.begin;  // an SM without warps is done at once
  const double time = trace.end.since(trace.begin), all = spent(warps);
  if (all > 0) trace.imbalance = most_spent / (all / sm_count);
  trace.over_time.assign(parts, 0);
  if (time <= 0) return trace;
  trace.mean = all / sm_count / time;
  trace.tail = trace.end.since(first_done) / time;
  spread(warps, trace);
  return trace;
}

}  // namespace forewarp::characterise
