// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/automatic/interval_rule.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace forewarp::model {
namespace {

constexpr double mostly = 0.5;         // share of the time
constexpr double some_traffic = 0.01;  // share of the sectors

/// L1, L2 and what lies between.
bool is_memory_path(ResourceRole role) {
  switch (role) {
    case ResourceRole::load_store:
    case ResourceRole::l1_return:
    case ResourceRole::l1_fill:
    case ResourceRole::store_path:
    case ResourceRole::l2_read:
    case ResourceRole::l2_write:
    case ResourceRole::l2_slice:
    case ResourceRole::requests:
      return true;
    default:
      return false;
  }
}

std::string_view regime(const IntervalFacts& facts) {
  if (facts.added_share >= mostly || facts.waves <= 1) return "short";
  if (facts.local_share > some_traffic) return "local memory";
  if (facts.limited_by == ResourceRole::latency) return "latency";
  if (facts.limited_by == ResourceRole::device_memory) return "memory";
  return is_memory_path(facts.limited_by) ? "memory path" : "pipes";
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
  const std::string_view own = regime(facts);
  return own == "pipes" || own == "memory path" || own == "local memory";
}

const IntervalClass& IntervalTable::of(std::string_view name) const {
  const std::string_view broad = name.substr(0, name.find(','));
  for (const std::string_view key : {name, broad, std::string_view("all")}) {
    if (const auto found = classes.find(key); found != classes.end()) return found->second;
  }
  static const IntervalClass unknown;
  return unknown;
}

namespace {

/// The interval's factors on the time, widened by one cause after the other.
struct Widened {
  double low = 1, high = 1;
  std::vector<std::string> causes;

  void by(const IntervalClass& cause, std::string because) {
    low = std::exp(-joined_distance(low, cause.low));
    high = std::exp(joined_distance(high, cause.high));
    causes.push_back(std::move(because));
  }
};

constexpr double most_sampled_error = 9;  // a larger error would make the interval meaningless

void add_sample(const IntervalFacts& facts, Widened& into) {
  if (!(facts.sampled_error >= some_traffic)) return;
  IntervalClass sample;
  sample.high = 1 + std::min(facts.sampled_error, most_sampled_error);
  sample.low = 1 / sample.high;
  into.by(sample, "a sample stands for the grid's " + std::string(facts.sampled_what) + " within " +
                      significant(100 * facts.sampled_error, 2) + " %");
}

/// A launch that waits for its longest block takes as much longer as that may.
void add_unseen(const IntervalFacts& facts, Widened& into) {
  if (!(facts.longest_unseen > 1)) return;
  IntervalClass longest;
  longest.high = facts.longest_unseen;
  into.by(longest, "the longest of the blocks that nobody looked at may make it " +
                       significant(facts.longest_unseen, 2) + " times as long");
}

void add_named(const IntervalFacts& facts, const IntervalTable& table, Widened& into) {
  std::vector<std::string_view> seen;
  for (const std::string_view id : facts.named) {
    const auto found = table.widenings.find(id);
    if (found == table.widenings.end()) continue;
    if (std::find(seen.begin(), seen.end(), id) != seen.end()) continue;
    seen.push_back(id);
    into.by(found->second, found->second.because);
  }
}

void add_difference(const IntervalFacts& facts, Widened& into) {
  const double other = facts.other_over_chosen;
  if (!(std::fabs(other - 1) > models_differ)) return;
  into.low = std::min(into.low, other);
  into.high = std::max(into.high, other);
  into.causes.push_back("the closed form says " + significant(other, 2) + "x");
}

}  // namespace

TimeInterval interval_of(double time_ms, const IntervalFacts& facts, const IntervalTable& table) {
  const std::string name = interval_class(facts);
  const IntervalClass& own = table.of(name);
  Widened ends{own.low, own.high, {}};
  std::string meaning = significant(100 * table.level) + " % interval, from " +
                        significant(own.points) + " measurements of " + significant(own.sources) +
                        (own.sources == 1 ? " source" : " sources") + " (class '" + name + "')";
  if (!facts.clock_known && clock_decides(facts))
    ends.by(table.clock, "nobody measured this board's clock");
  add_named(facts, table, ends);
  add_sample(facts, ends);
  add_unseen(facts, ends);
  add_difference(facts, ends);
  if (!ends.causes.empty()) meaning += ", wider because " + join(ends.causes, "; ");
  return {{time_ms * ends.low, time_ms * ends.high}, meaning};
}

}  // namespace forewarp::model
