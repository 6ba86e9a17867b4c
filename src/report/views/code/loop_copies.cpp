// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/code/loop_copies.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>

namespace forewarp::report {
namespace {

/// A line's instructions of one opcode, modifiers included, with how many there are.
using Counts = std::map<std::tuple<std::string, std::uint32_t, std::string>, std::uint32_t>;

constexpr std::uint32_t fewest_told = 4;  // copies where the passes say nothing
constexpr std::size_t fewest_kinds = 2;

/// What the body does for each iteration; addresses and counters are shared by copies.
bool is_work(std::string_view instruction_class) {
  for (const std::string_view kind : {"fp", "sfu", "tensor_", "load_global", "store_global",
                                      "load_shared", "store_shared", "atomic_", "reduction_"}) {
    if (instruction_class.starts_with(kind)) return true;
  }
  return false;
}

/// "@!P0 LDG.E R4, [R2.64] ;" -> "LDG.E".
std::string opcode_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("{ "), text.size()));
  if (text.starts_with('@')) {
    text.remove_prefix(std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return std::string(text.substr(0, text.find_first_of(" ;")));
}

Counts work_of(const Result& result, const Result::SourceLoop& loop) {
  Counts counts;
  bool inside = false;
  for (const Result::ListingLine& line : result.listing) {
    const bool starts = line.address == loop.address;
    const bool next = line.loop_head && line.loop_depth <= loop.depth && !starts;
    if (inside && (next || line.loop_depth < loop.depth)) break;
    inside = inside || starts;
    if (!inside || line.loop_depth != loop.depth || line.source_line == 0) continue;
    if (!is_work(line.instruction_class)) continue;
    ++counts[{line.source_file, line.source_line, opcode_of(line.text)}];
  }
  return counts;
}

/// The largest divisor in a formula, "max(1, n/16)", that divides `count` too; 1: none.
std::uint32_t divided_by(std::string_view formula, std::uint32_t count) {
  std::uint32_t most = 1;
  for (std::size_t at = formula.find('/'); at != formula.npos; at = formula.find('/', at + 1)) {
    std::uint32_t divisor = 0;
    std::from_chars(formula.data() + at + 1, formula.data() + formula.size(), divisor);
    if (divisor > most && count % divisor == 0) most = divisor;
  }
  return most;
}

}  // namespace

std::uint32_t loop_copies(const Result& result, const Result::SourceLoop& loop) {
  const Counts counts = work_of(result, loop);
  std::uint32_t common = 0;
  for (const auto& [place, count] : counts) common = std::gcd(common, count);
  if (common < 2) return 1;
  if (const std::uint32_t divisor = divided_by(loop.formula, common); divisor > 1) return divisor;
  const bool is_number = loop.formula.find_first_not_of("0123456789.") == std::string::npos;
  const bool alike =
      std::ranges::all_of(counts, [&](const auto& counted) { return counted.second == common; });
  return is_number && alike && counts.size() >= fewest_kinds && common >= fewest_told ? common : 1;
}

}  // namespace forewarp::report
