// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/fill_rule.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "hardware/capability.h"

namespace forewarp::hardware {
namespace {

bool in_range(const Facts& facts, const RuleCondition& condition) {
  if (condition.from.empty() && condition.to.empty()) return true;
  const auto found = facts.find("cc");
  if (found == facts.end()) return false;
  const auto own = parse_capability(found->second.text);
  if (!own) return false;
  const auto from = parse_capability(condition.from);
  const auto to = parse_capability(condition.to);
  return (!from || *own >= *from) && (!to || *own <= *to);
}

bool speaks(const Facts& facts, const RuleCondition& condition) {
  if (!in_range(facts, condition)) return false;
  for (const auto& [path, word] : condition.words) {
    const auto found = facts.find(path);
    if (found == facts.end() || found->second.text != word) return false;
  }
  for (const auto& [path, number] : condition.numbers) {
    const auto found = facts.find(path);
    if ((found == facts.end() ? 0.0 : found->second.value) != number) return false;
  }
  return true;
}

/// False if a factor is missing.
bool product(const Facts& facts, const FillRule& rule, double& result) {
  result = rule.fact.value;
  for (const std::string& path : rule.times) {
    const auto found = facts.find(path);
    if (found == facts.end()) return false;
    result *= found->second.value;
  }
  return true;
}

}  // namespace

bool is_own(const Facts& facts, const Fact& fact) {
  if (fact.source == override_source) return true;
  const auto name = facts.find("name");
  return name != facts.end() && fact.file == name->second.file;
}

void fill_missing(Facts& facts, const std::vector<FillRule>& rules) {
  std::set<std::string_view> filled;
  for (const FillRule& rule : rules) {
    const auto known = facts.find(rule.path);
    const bool stays = known != facts.end() && (!rule.over_class || filled.contains(rule.path) ||
                                                is_own(facts, known->second));
    double value = 0;
    if (stays || !speaks(facts, rule.condition) || !product(facts, rule, value)) continue;
    Fact fact = rule.fact;
    fact.value = rule.most > 0 ? std::min(value, rule.most) : value;
    if (known != facts.end()) {
      fact.alternatives.emplace_back(known->second.value, known->second.source);
    }
    facts.insert_or_assign(rule.path, std::move(fact));
    filled.insert(rule.path);
  }
}

void scale_numbers(Facts& facts, const std::vector<ScaleRule>& rules) {
  for (const ScaleRule& rule : rules) {
    if (!speaks(facts, rule.condition)) continue;
    for (const std::string& path : rule.paths) {
      const auto found = facts.find(path);
      if (found == facts.end() || is_own(facts, found->second)) continue;
      Fact& fact = found->second;
      fact.value *= rule.fact.value;
      fact.confidence = Confidence::derived;
      fact.note += (fact.note.empty() ? "" : "; ") + rule.fact.note;
      fact.source += "; " + rule.fact.source;
    }
  }
}

void fill_from_capability(Facts& facts, const Facts& fallback) {
  // Decided by the board's own facts, so that pairs (latency and its clock) are filled together.
  for (const auto& [path, fact] : fallback) {
    if (facts.contains(path)) continue;
    Fact own = fact;
    own.confidence = Confidence::derived;
    own.note = "same capability" + (fact.note.empty() ? "" : ": " + fact.note);
    facts.emplace(path, std::move(own));
  }
}

}  // namespace forewarp::hardware
