// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/automatic/interval_rule.h"

#include <cmath>

#include "base/text.h"

namespace forewarp {
namespace {

constexpr double mostly = 0.5;         // of the time
constexpr double some_traffic = 0.01;  // of the sectors

std::string_view regime(const IntervalFacts& facts) {
  if (facts.added_share >= mostly || facts.waves <= 1) return "short";
  if (facts.local_share > some_traffic) return "local memory";
  if (facts.limited_by == "latency") return "latency";
  if (facts.limited_by == "dram") return "memory";
  return "pipes";
}

double joined_distance(double a, double b) {
  return std::sqrt(std::log(a) * std::log(a) + std::log(b) * std::log(b));
}

}  // namespace

std::string interval_class(const IntervalFacts& facts) {
  std::string name(regime(facts));
  if (!facts.executed) return "static";
  if (name == "memory" && !facts.memory_measured) return name + ", not measured";
  return name;
}

bool clock_decides(const IntervalFacts& facts) {
  return regime(facts) == "pipes" || regime(facts) == "local memory";
}

const IntervalClass& IntervalTable::of(std::string_view name) const {
  const std::string_view broad = name.substr(0, name.find(','));
  for (const std::string_view key : {name, broad, std::string_view("all")}) {
    if (const auto found = classes.find(key); found != classes.end()) return found->second;
  }
  static const IntervalClass unknown;
  return unknown;
}

TimeInterval interval_of(double time_ms, const IntervalFacts& facts, const IntervalTable& table) {
  const std::string name = interval_class(facts);
  const IntervalClass& own = table.of(name);
  double low = own.low, high = own.high;
  std::string meaning = significant(100 * table.level) + " % interval, from " +
                        significant(own.points) + " measurements of " + significant(own.sources) +
                        (own.sources == 1 ? " source" : " sources") + " (class '" + name + "')";
  if (!facts.clock_known && clock_decides(facts)) {
    low = std::exp(-joined_distance(low, table.clock.low));
    high = std::exp(joined_distance(high, table.clock.high));
    meaning += ", wider because nobody measured this board's clock";
  }
  return {{time_ms * low, time_ms * high}, meaning};
}

}  // namespace forewarp
