// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"

namespace forewarp::hardware {

/// How far a number can be trusted, best first.
enum class Confidence { datasheet, vendor_tool, measured, published, derived, assumed };

[[nodiscard]] std::string_view confidence_name(Confidence confidence);
[[nodiscard]] std::optional<Confidence> confidence_by_name(std::string_view name);

/// One hardware number with everything needed to argue about it.
struct Fact {
  double value = 0;
  std::string text;            ///< for facts that are words (memory technology); value unused then
  std::vector<double> values;  ///< for facts that are lists (carve-outs); value unused then
  std::string unit;            ///< "cycles", "MHz", "GB/s", "B/cycle/SM", "bytes", "1"
  std::string source;          ///< where it comes from
  Confidence confidence = Confidence::assumed;
  std::string note;                                          ///< derived: the rule; assumed: why
  std::string file;                                          ///< data file that holds it
  std::uint32_t line = 0;                                    ///< line in that file
  std::vector<std::pair<double, std::string>> alternatives;  ///< other sources' values, not used
  bool operator==(const Fact&) const = default;
};

/// All facts of one GPU by dotted path ("memory.latency_cycles"), merged from its board file, its
/// capability, its ISA generation and its memory technology. `--set hw.PATH=VALUE` replaces one.
using Facts = std::map<std::string, Fact, std::less<>>;

}  // namespace forewarp::hardware
