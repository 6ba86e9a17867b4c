// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hardware/facts.h"

namespace forewarp {

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
};

/// Factor on numbers that a condition changes (error correction on).
struct ScaleRule {
  std::vector<std::string> paths;
  Fact fact;  ///< value: the factor; source; note: the rule
  RuleCondition condition;
};

/// First rule that speaks and whose facts exist wins; facts already there stay.
void fill_missing(Facts& facts, const std::vector<FillRule>& rules);

/// Every rule that speaks is applied once; numbers from `--set` are left alone.
void scale_numbers(Facts& facts, const std::vector<ScaleRule>& rules);

/// Numbers of the same capability for boards that have none.
void fill_from_capability(Facts& facts, const Facts& fallback);

/// Source of a number given by the user.
inline constexpr const char* override_source = "--set";

}  // namespace forewarp
