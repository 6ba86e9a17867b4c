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

/// One data file (docs/data.md), flattened to facts by dotted path.
struct FactFile {
  std::string file;  ///< name for messages
  Facts facts;
  Facts fallback;  ///< [fallback]: for boards without a number of their own
  std::map<std::string, Facts, std::less<>> sets;    ///< [set.NAME]
  std::vector<FillRule> fills;                       ///< [[fill]], in order
  std::vector<ScaleRule> scales;                     ///< [[scale]], in order
  std::map<std::string, double, std::less<>> check;  ///< [check]: bounds for plausible values

  /// The word at `path`; empty if there is none.
  [[nodiscard]] std::string_view word(std::string_view path) const;
};

/// A number's deviation stands in its note. Fails for syntax errors, numbers without unit, source
/// or confidence, and values of a wrong type. `shown`: the file's name in messages and facts.
Expected<FactFile> read_fact_file(const std::filesystem::path& path, std::string_view shown);

/// The same from text; `name` is the file's name in messages.
Expected<FactFile> parse_fact_file(std::string_view text, std::string_view name);

}  // namespace forewarp::hardware
