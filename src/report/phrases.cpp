// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/phrases.h"

#include <cmath>

#include "base/text.h"
#include "report/quantity.h"
#include "result/labels.h"

namespace forewarp::report {

std::string gpu_label(const Result& result) {
  return dash_if_empty(result.gpu.name.empty() ? result.gpu.id : result.gpu.name);
}

std::string range_phrase(const Result& result) {
  const auto [low, high] = result.interval_ms;
  if (!std::isfinite(low) || !std::isfinite(high) || high <= 0) return "";
  constexpr std::string_view none = "none: ";
  if (low == high && result.interval_meaning.starts_with(none)) {
    return "no interval: " + result.interval_meaning.substr(none.size());
  }
  const std::string range = duration_range(low, high);
  return result.interval_meaning.empty() ? range : range + ": " + result.interval_meaning;
}

std::string interval_text(const Result& result) {
  const auto [low, high] = result.interval_ms;
  return high > low ? duration_range(low, high) : "-";
}

std::string limit_label(const Result& result) {
  return dash_if_empty(resource_label(result, result.limited_by.resource));
}

std::string limit_phrase(const Result& result) {
  const Result::LimitedBy& limit = result.limited_by;
  if (!limit.sentence.empty()) return limit.sentence;
  if (!(limit.share > 0)) return "";
  return limit_label(result) + ": " + percent(limit.share) + " of the time if it were alone";
}

std::string blocks_phrase(const Result& result) {
  const Result::Occupancy& occupancy = result.occupancy;
  const std::string blocks = std::to_string(occupancy.blocks_per_sm) +
                             (occupancy.blocks_per_sm == 1 ? " block" : " blocks") + " per SM";
  if (occupancy.limiter.empty()) return blocks;
  return blocks + ", limited by " + join(occupancy.limiter, " and ");
}

std::string needed_phrase(const Result& result) {
  const Result::Occupancy& occupancy = result.occupancy;
  if (!std::isfinite(occupancy.needed_warps) || occupancy.needed_warps <= 0) return "";
  return figure(occupancy.needed_warps, 3) + " warps hide the latency" +
         (occupancy.latency_hidden ? "" : ": not reached");
}

std::string latency_formula(const Result& result) {
  const std::string& formula = result.latency.formula;
  return formula.empty() || parse_number(formula) ? "" : "= " + formula;
}

std::string waves_phrase(const Result& result) {
  const double waves = result.occupancy.waves;
  if (!(waves > 0) || result.error) return "";
  return figure(waves) + (waves == 1 ? " wave" : " waves");
}

std::string named_texts(const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : texts) parts.push_back(name + '=' + value);
  return join(parts, " ");
}

std::string joined(std::vector<std::string> parts) {
  std::erase(parts, "");
  return join(parts, "; ");
}

}  // namespace forewarp::report
