// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hardware/facts.h"

namespace forewarp::hardware {

/// When a rule applies: a range of capabilities, and facts that must equal a number or word.
struct RuleCondition {
  std::string from, to;  ///< capability "X.Y", inclusive; empty: open
  std::vector<std::pair<std::string, std::string>> words;  ///< path, required word
  /// Path, required number; a missing fact counts as 0.
  std::vector<std::pair<std::string, double>> numbers;
};

/// Fills a missing number: the product of `factor` and the facts named in `times`. The result has
/// confidence `derived` (or what the rule states) and the rule as its note.
struct FillRule {
  std::string path;
  std::vector<std::string> times;
  Fact fact;  ///< value: the factor; unit, source and confidence; note: the rule
  RuleCondition condition;
  bool over_class = false;  ///< replaces a number of the board's class, but never the board's own
  double most = 0;          ///< upper limit of the product; 0: none
};

/// A factor for numbers that change under a condition (such as error correction).
struct ScaleRule {
  std::vector<std::string> paths;
  Fact fact;  ///< value: the factor; source; note: the rule
  RuleCondition condition;
};

/// Whether the board's own file or the user states the number, rather than the board's class.
[[nodiscard]] bool is_own(const Facts& facts, const Fact& fact);

/// Fills each missing fact by the first rule that applies and whose facts exist. Existing facts
/// stay, except class numbers that a rule replaces.
void fill_missing(Facts& facts, const std::vector<FillRule>& rules);

/// Applies each matching rule once. The board's own numbers and those from `--set` stay, as they
/// already describe the board as it runs.
void scale_numbers(Facts& facts, const std::vector<ScaleRule>& rules);

/// Adds the capability's numbers where the board has none.
void fill_from_capability(Facts& facts, const Facts& fallback);

/// Source of numbers given by the user.
inline constexpr const char* override_source = "--set";

}  // namespace forewarp::hardware
