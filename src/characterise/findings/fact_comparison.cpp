// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/findings/fact_comparison.h"

#include <cmath>

namespace forewarp::characterise {
namespace {

constexpr double close = 1.0 / 30;
constexpr double deviations = 3;

OtherValue compared(const FoundFact& found, double other, std::string source) {
  OtherValue made{other, other == 0 ? 0 : found.fact.value / other, std::move(source)};
  const double distance = std::abs(found.fact.value - other);
  const bool agrees =
      distance <= close * std::abs(other) || distance <= deviations * found.deviation.value_or(0);
  made.verdict = agrees ? Verdict::agrees : Verdict::differs;
  return made;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::differs:
      return "differs";
    case Verdict::unknown:
      break;
  }
  return "new";
}

Verdict ComparedFact::verdict() const {
  return others.empty() ? Verdict::unknown : others.front().verdict;
}

std::vector<ComparedFact> compare_facts(const Characterisation& found, const Gpu& board) {
  std::vector<ComparedFact> rows;
  for (const FoundFact& fact : found.facts) {
    if (!fact.fact.text.empty() || fact.fact.confidence == Confidence::assumed) continue;
    ComparedFact row{&fact, {}};
    const auto other = board.facts.find(fact.path);
    if (other != board.facts.end() && other->second.text.empty()) {
      const Fact& theirs = other->second;
      row.others.push_back(compared(fact, theirs.value, board.id + ", " + theirs.source));
      for (const auto& [value, source] : theirs.alternatives) {
        row.others.push_back(compared(fact, value, source));
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace forewarp::characterise
