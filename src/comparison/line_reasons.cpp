// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/line_reasons.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

#include "base/text.h"
#include "result/labels.h"

namespace forewarp::comparison {
namespace {

constexpr double told_change = 0.05;  // of the longer time

/// A text's lines of one side: repeated lines count together, under the first one's number.
struct LineTime {
  std::uint32_t line = 0;
  double ms = 0;
};

bool has_word(const std::string& text) {
  return std::ranges::any_of(text,
                             [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; });
}

std::map<std::string, LineTime> times_of(const Result& side) {
  std::map<std::string, LineTime> times;
  for (const Result::SourceLine& line : side.source) {
    const std::string text(trim(line.text));
    if (!has_word(text)) continue;  // braces are no line of their own
    LineTime& time = times[text];
    if (time.line == 0) time.line = line.line;
    time.ms += line.time_share * side.time_ms;
  }
  return times;
}

std::string slowest_of(const Result& side) {
  const Result::SourceLine& line = *slowest_line(side);
  const std::string text(trim(line.text));
  return place_of(line, side) + (text.empty() ? "" : " `" + text + "`") + " (" +
         significant(100 * line.time_share, 2) + " %)";
}

std::string weighed_by(const Comparison& c) {
  const std::string &a = c.a.source_weighed_by, &b = c.b.source_weighed_by;
  return a == b ? ", by " + a : "; A by " + a + ", B by " + b;
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
  if (!c.compared() || slowest_line(c.a) == nullptr || slowest_line(c.b) == nullptr) return {};
  std::vector<std::string> list{"the slowest line of A is " + slowest_of(c.a) + ", of B " +
                                slowest_of(c.b) + weighed_by(c)};
  if (c.a.source_weighed_by != c.b.source_weighed_by) return list;  // they count different things
  if (std::string changed = changed_line(c); !changed.empty()) list.push_back(std::move(changed));
  return list;
}

}  // namespace forewarp::comparison
