// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "hardware/facts.h"
#include "hardware/fill_rule.h"

namespace forewarp::hardware {

/// One data file as it is written (docs/data.md), flattened to facts by dotted path.
struct FactFile {
  std::string file;  ///< as shown to people
  Facts facts;
  Facts fallback;  ///< [fallback]: for boards that have no number of their own
  std::map<std::string, Facts, std::less<>> sets;    ///< [set.NAME]
  std::vector<FillRule> fills;                       ///< [[fill]], in order
  std::vector<ScaleRule> scales;                     ///< [[scale]], in order
  std::map<std::string, double, std::less<>> check;  ///< [check]: bounds of plausibility

  /// The words at `path`; empty when there are none.
  [[nodiscard]] std::string_view word(std::string_view path) const;
};

/// Fails on syntax, on a number without unit, source or confidence, and on a value of a wrong kind.
/// `shown` is what messages and facts call the file.
Expected<FactFile> read_fact_file(const std::filesystem::path& path, std::string_view shown);

/// The same from text; `name` stands for the file in messages.
Expected<FactFile> parse_fact_file(std::string_view text, std::string_view name);

}  // namespace forewarp::hardware
