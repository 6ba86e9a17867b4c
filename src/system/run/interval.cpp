// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/run/interval.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "system/run/child.h"

namespace forewarp::system {
namespace {

std::string meaning(const Outcome& outcome) {
  const std::size_t kernels = outcome.kernels.size();
  std::vector<std::string> what;
  if (kernels > 0)
    what.push_back(kernels == 1 ? "one launch" : fmt::format("{} launches", kernels));
  if (outcome.reduces.library > 0) what.emplace_back("all collectives");
  if (outcome.reduces.library_messages > 0) what.emplace_back("messages between GPUs");
  return join(what, " and ") +
         " at the low end of their intervals, or at the high end, together; all else as expected";
}

/// Answers are paired by name: an end may give them in another order.
void widen(const Outcome& end, std::vector<AnswerOutcome>& answers) {
  for (AnswerOutcome& own : answers) {
    for (const AnswerOutcome& other : end.answers) {
      if (other.name != own.name) continue;
      own.interval[0] = std::min(own.interval[0], other.value);
      own.interval[1] = std::max(own.interval[1], other.value);
    }
  }
}

}  // namespace

Expected<Outcome> simulate_with_interval(const SimulationOptions& order) {
  auto outcome = simulate(order);
  if (!outcome || outcome->error || order.check_only) return outcome;
  const ReduceOutcome& reduces = outcome->reduces;
  if (outcome->kernels.empty() && reduces.library + reduces.library_messages == 0) return outcome;
  const std::vector<AnswerOutcome> expected = outcome->answers;
  IntervalOutcome interval{{outcome->overall_s, outcome->overall_s}, meaning(*outcome)};
  SimulationOptions next = order;
  next.known = outcome->kernels;
  next.timeline = false;
  for (const IntervalPlace place : {IntervalPlace::low, IntervalPlace::high}) {
    next.place = place;
    const auto end = simulate(next);
    if (!end || end->error) {
      outcome->answers = expected;
      outcome->warnings.push_back("no interval: at one of its ends, " +
                                  (end ? *end->error : end.error()).line());
      return outcome;
    }
    if (end->failures.size() != outcome->failures.size()) {
      outcome->warnings.push_back(
          fmt::format("the interval has runs with other failures: {} at the {} end, {} as expected",
                      end->failures.size(), place == IntervalPlace::low ? "low" : "high",
                      outcome->failures.size()));
    }
    interval.seconds[0] = std::min(interval.seconds[0], end->overall_s);
    interval.seconds[1] = std::max(interval.seconds[1], end->overall_s);
    widen(*end, outcome->answers);
  }
  outcome->interval = interval;
  return outcome;
}

}  // namespace forewarp::system
