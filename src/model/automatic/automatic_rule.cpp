// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/automatic/automatic_rule.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/text.h"

namespace forewarp::model {
namespace {

constexpr double differs = 1.1;            // ratio of two times, either way
constexpr std::size_t most_explained = 3;  // models named in the sentence
constexpr double memory_decides = 0.25;    // device memory's share of the closed form's time

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

double distance(double ratio) {
  return std::fabs(std::log(ratio));
}

/// Why a simulation's time is taken instead of the closed form's.
std::string simulation_reason(std::span<const Candidate> candidates, std::size_t chosen,
                              Mechanisms met) {
  std::string text = met.has(Mechanism::asynchronous) ? "warps wait for copies"
                                                      : "device memory does not decide here";
  text += ", so an SM was simulated";
  const auto formula = first_usable(candidates);
  if (!formula || *formula == chosen) return text;
  const double ratio = candidates[*formula].time_ms / candidates[chosen].time_ms;
  return text + "; " + std::string(candidates[*formula].name) + ", the closed form, says " +
         significant(ratio, 2) + "x";
}

std::string passed_over(std::span<const Candidate> candidates, std::size_t chosen) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < chosen; ++i) {
    if (!candidates[i].usable()) names.push_back(candidates[i].name);
  }
  if (names.empty()) return {};
  return "; " + listed(names) +
         (names.size() == 1 ? " accounts for more, but gives no time that can be used"
                            : " account for more, but give no time that can be used");
}

}  // namespace

Mechanisms mechanisms_met(const Demand& demand, bool executed) {
  const Mechanisms always{Mechanism::occupancy, Mechanism::arithmetic_latency,
                          Mechanism::issue,     Mechanism::pipes,
                          Mechanism::waves,     Mechanism::launch_cost};
  Mechanisms met = always;
  if (demand.count(Count::memory_instructions) > 0) {
    met = met.with({Mechanism::memory_latency});
    if (executed) met = met.with({Mechanism::caches});
  }
  if (demand.count(Count::read_bytes) + demand.count(Count::write_bytes) > 0) {
    met = met.with({Mechanism::bandwidth, Mechanism::contention});
  }
  if (demand.count(Count::barriers) > 0) {
    met = met.with({Mechanism::barriers, Mechanism::phases});
  }
  if (demand.of_class(InstructionClass::mbarrier) > 0) met = met.with({Mechanism::asynchronous});
  return met;
}

std::vector<std::size_t> preference(std::span<const Model* const> models, Mechanisms met) {
  std::vector<std::size_t> order(models.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t i) {
    const Mechanisms own = models[i]->accounts_for();
    return std::tuple(!models[i]->simulates(), own.also_in(met).count(), own.count());
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  return order;
}

bool Candidate::usable() const {
  return applies && std::isfinite(time_ms) && time_ms > 0;
}

bool asks_simulation(double time_ms, double memory_ms, Mechanisms met) {
  return met.has(Mechanism::asynchronous) || memory_ms < memory_decides * time_ms;
}

std::optional<std::size_t> taken_of(std::span<const Candidate> candidates) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].simulates && candidates[i].usable()) return i;
  }
  return first_usable(candidates);
}

std::optional<std::size_t> first_usable(std::span<const Candidate> candidates) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].usable()) return i;
  }
  return std::nullopt;
}

std::string choice_reason(std::span<const Candidate> candidates, std::size_t chosen, Mechanisms met,
                          bool executed) {
  if (candidates[chosen].simulates) return simulation_reason(candidates, chosen, met);
  const Mechanisms own = candidates[chosen].accounts_for.also_in(met);
  std::string text = "it accounts for " + std::to_string(own.count()) + " of the " +
                     std::to_string(met.count()) + " things that cost time in this launch";
  const Candidate* next = nullptr;
  for (std::size_t i = chosen + 1; i < candidates.size() && next == nullptr; ++i) {
    if (candidates[i].usable()) next = &candidates[i];
  }
  if (next != nullptr) {
    text += ", " + std::string(next->name) + ", the next, for " +
            std::to_string(next->accounts_for.also_in(met).count());
  }
  if (!executed) text += " (cache hits not among them: nothing was executed)";
  return text + passed_over(candidates, chosen);
}

std::string why_they_differ(std::span<const Candidate> candidates, std::size_t chosen,
                            Mechanisms met) {
  const Candidate& taken = candidates[chosen];
  if (!taken.usable()) return {};
  std::vector<std::pair<double, const Candidate*>> far;
  for (const Candidate& other : candidates) {
    const double ratio = other.time_ms / taken.time_ms;
    if (&other == &taken || !other.usable() || distance(ratio) <= std::log(differs)) continue;
    far.emplace_back(ratio, &other);
  }
  std::stable_sort(far.begin(), far.end(), [](const auto& a, const auto& b) {
    return distance(a.first) > distance(b.first);
  });
  std::vector<std::string> parts;
  for (const auto& [ratio, other] : far) {
    if (parts.size() == most_explained) break;
    const Mechanisms lacking = taken.accounts_for.also_in(met).without(other->accounts_for);
    parts.push_back(std::string(other->name) +
                    (lacking.empty() ? " accounts for the same in another way"
                                     : " leaves out " + listed(lacking.names())) +
                    ": " + significant(ratio, 2) + "x");
  }
  if (far.size() > parts.size()) {
    parts.push_back(std::to_string(far.size() - parts.size()) + " more differ less");
  }
  return join(parts, "; ");
}

}  // namespace forewarp::model
