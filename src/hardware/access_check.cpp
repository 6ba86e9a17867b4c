// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/access_check.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace forewarp::hardware {
namespace {

struct Range {
  std::string_view path;
  double least, most;
  bool power = false;  ///< must be a power of two
};

// Lane masks have 32 bits; 16 bytes of a lane touch at most five words of four bytes.
constexpr Range ranges[] = {
    {"limits.warp_lanes", 1, 32},           {"coalescing.lanes", 1, 1024},
    {"coalescing.request_bytes", 1, 65536}, {"cache.sector_bytes", 4, 64, true},
    {"cache.line_bytes", 4, 512, true},     {"bank.lanes", 1, 32},
    {"bank.word_bytes", 4, 1024},           {"shared.banks", 1, 32},
    {"shared.bank_bytes", 4, 1024},
};

constexpr double most_parts = 8;  // one mask bit each

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

Diagnostic refused(std::string_view path, const Fact& fact, std::string expected) {
  return {place_in_file(fact.file, fact.line),
          "'" + std::string(path) + "' is " + significant(fact.value), std::move(expected), ""};
}

/// Checks that `path` holds one to `most` units of `unit`.
Expected<void> check_multiple(const Facts& facts, std::string_view path, std::string_view unit,
                              double most) {
  const auto all = facts.find(path), one = facts.find(unit);
  if (all == facts.end() || one == facts.end()) return {};
  const double times = all->second.value / one->second.value;
  if (times == std::floor(times) && times >= 1 && times <= most) return {};
  return refused(path, all->second,
                 "one to " + significant(most) + " times '" + std::string(unit) + "', " +
                     significant(one->second.value));
}

}  // namespace

Expected<void> check_access_facts(const Facts& facts) {
  for (const Range& range : ranges) {
    const auto found = facts.find(range.path);
    if (found == facts.end()) continue;
    const double value = found->second.value;
    const bool inside = value >= range.least && value <= range.most;
    if (inside && value == std::floor(value) && (!range.power || is_power_of_two(value))) continue;
    return refused(range.path, found->second,
                   std::string(range.power ? "a power of two" : "a whole number") + " from " +
                       significant(range.least) + " to " + significant(range.most));
  }
  if (auto fine = check_multiple(facts, "cache.line_bytes", "cache.sector_bytes", most_parts);
      !fine) {
    return fine;
  }
  return check_multiple(facts, "shared.bank_bytes", "bank.word_bytes", most_parts);
}

}  // namespace forewarp::hardware
