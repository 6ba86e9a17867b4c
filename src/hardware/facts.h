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

/// How reliable a number is, best first.
enum class Confidence { datasheet, vendor_tool, measured, published, derived, assumed };

[[nodiscard]] std::string_view confidence_name(Confidence confidence);
[[nodiscard]] std::optional<Confidence> confidence_by_name(std::string_view name);

/// What a file writes as a fact's value.
enum class FactKind : std::uint8_t { number, flag, word, list };

/// One hardware number with its provenance.
struct Fact {
  FactKind kind = FactKind::number;
  double value = 0;  ///< of a flag: 1 or 0
  std::string text;  ///< of a fact that is a word (memory technology); value is then unused
  std::vector<double> values;  ///< of a fact that is a list (carve-outs); value is then unused
  std::string unit;            ///< "cycles", "MHz", "GB/s", "B/cycle/SM", "bytes", "1"
  std::string source;          ///< where it comes from
  Confidence confidence = Confidence::assumed;
  std::string note;        ///< derived: the rule; assumed: the reason
  std::string file;        ///< data file that holds it
  std::uint32_t line = 0;  ///< line in that file
  /// Values of other sources that are not used.
  std::vector<std::pair<double, std::string>> alternatives;
  bool operator==(const Fact&) const = default;
};

/// What a path of a data file takes. A flag may be written as true, false, 1 or 0.
struct FactType {
  std::string_view unit;  ///< "*": any
  FactKind kind = FactKind::number;
  bool or_list = false;  ///< a list of numbers, too
};

/// Fails where the fact is of another kind or in another unit, naming the path.
Expected<void> check_type(std::string_view path, const Fact& fact, const FactType& type);

/// All facts of one GPU by dotted path ("memory.latency_cycles"), merged from its board,
/// capability, ISA generation and memory technology. `--set hw.PATH=VALUE` replaces one.
using Facts = std::map<std::string, Fact, std::less<>>;

}  // namespace forewarp::hardware
