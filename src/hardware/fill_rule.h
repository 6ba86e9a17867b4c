// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hardware/facts.h"

namespace forewarp::hardware {

/// When a rule speaks: capability range and facts that must equal a number or a word.
struct RuleCondition {
  std::string from, to;  ///< capability "X.Y", inclusive; empty: open
  std::vector<std::pair<std::string, std::string>> words;  ///< path, word
  std::vector<std::pair<std::string, double>> numbers;     ///< path, number; a missing fact is 0
};

/// How a missing number is filled: the product of the facts named in `times` and of `factor`, or
/// `factor` alone. The result has confidence derived (or what the rule says) and the rule as note.
struct FillRule {
  std::string path;
  std::vector<std::string> times;
  Fact fact;  ///< value: the factor; unit, source, confidence; note: the rule
  RuleCondition condition;
  bool over_class = false;  ///< fills over a number of the board's class, never over its own
  double most = 0;          ///< the product at most; 0: no limit
};

/// Factor on numbers that a condition changes (error correction on).
struct ScaleRule {
  std::vector<std::string> paths;
  Fact fact;  ///< value: the factor; source; note: the rule
  RuleCondition condition;
};

/// Whether the board's own file (or the user) states the number: it is not of its class.
[[nodiscard]] bool is_own(const Facts& facts, const Fact& fact);

/// First rule that speaks and whose facts exist wins; facts already there stay, but those of the
/// board's class where a rule goes over them.
void fill_missing(Facts& facts, const std::vector<FillRule>& rules);

/// Every rule that speaks is applied once; the board's own numbers and those from `--set` are left
/// alone: they are as the board runs.
void scale_numbers(Facts& facts, const std::vector<ScaleRule>& rules);

/// Numbers of the same capability for boards that have none.
void fill_from_capability(Facts& facts, const Facts& fallback);

/// Source of a number given by the user.
inline constexpr const char* override_source = "--set";

}  // namespace forewarp::hardware
