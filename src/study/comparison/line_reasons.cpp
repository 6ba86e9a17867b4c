// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "study/comparison/line_reasons.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/text.h"

namespace forewarp::study {
namespace {

constexpr double told_change = 0.05;  // of the longer time

/// A text's lines of one side: repeated lines count together, under the first one's number.
struct LineTime {
  std::uint32_t line = 0;
  double ms = 0;
};

std::map<std::string, LineTime> times_of(const Result& side) {
  std::map<std::string, LineTime> times;
  for (const Result::SourceLine& line : side.source) {
    const std::string text(trim(line.text));
    if (text.empty()) continue;
    LineTime& time = times[text];
    if (time.line == 0) time.line = line.line;
    time.ms += line.time_share * side.time_ms;
  }
  return times;
}

std::string place_of(const Result::SourceLine& line) {
  const std::string text(trim(line.text));
  const std::string number =
      text.empty() ? line.file + ":" + std::to_string(line.line) : std::to_string(line.line);
  return number + (text.empty() ? "" : " `" + text + "`");
}

std::string slowest_of(const Result& side) {
  const auto most = std::ranges::max_element(side.source, {}, &Result::SourceLine::time_share);
  return place_of(*most) + " (" + significant(100 * most->time_share, 2) + " %)";
}

std::string weighed_by(const Comparison& c) {
  const std::string &a = c.a.source_weighed_by, &b = c.b.source_weighed_by;
  return a == b ? a : "A by " + a + ", B by " + b;
}

std::string changed_line(const Comparison& c) {
  const std::map<std::string, LineTime> before = times_of(c.a), after = times_of(c.b);
  const auto change = [&](const auto& entry) {
    const auto other = after.find(entry.first);
    return other == after.end() ? 0 : std::fabs(other->second.ms - entry.second.ms);
  };
  const auto most = std::ranges::max_element(before, {}, change);
  const double told = told_change * std::max(c.a.time_ms, c.b.time_ms);
  if (most == before.end() || change(*most) < told) return "";
  const LineTime& then = after.at(most->first);
  std::string text = "of the lines that both have, `" + most->first + "` (A ";
  text += std::to_string(most->second.line) + ", B " + std::to_string(then.line);
  return text + ") changes most: " + significant(most->second.ms, 3) + " -> " +
         significant(then.ms, 3) + " ms";
}

}  // namespace

std::vector<std::string> line_reasons(const Comparison& c) {
  if (!c.compared() || c.a.source.empty() || c.b.source.empty()) return {};
  std::vector<std::string> list{"the slowest line of A is " + slowest_of(c.a) + ", of B " +
                                slowest_of(c.b) + ", by " + weighed_by(c)};
  if (std::string changed = changed_line(c); !changed.empty()) list.push_back(std::move(changed));
  return list;
}

}  // namespace forewarp::study
