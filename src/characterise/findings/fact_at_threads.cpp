// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/findings/fact_at_threads.h"

#include <cmath>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

/// A number of a configuration as written: "blocks=1,threads=32".
std::optional<double> number_in(std::string_view config, std::string_view key) {
  for (const std::string_view part : split(config, ',')) {
    const std::size_t equals = part.find('=');
    if (equals != std::string_view::npos && part.substr(0, equals) == key) {
      return parse_number(part.substr(equals + 1));
    }
  }
  return {};
}

}  // namespace

ConfigTable fact_over_threads(const FoundFact& fact) {
  ConfigTable table;
  for (const EstimatePoint& point : fact.points) {
    const auto blocks = number_in(point.config, "blocks");
    const auto of_block = number_in(point.config, "threads");
    if (!blocks || !of_block || !std::isfinite(*blocks * *of_block)) continue;
    table.add({*blocks * *of_block, point.value, point.deviation});
  }
  return table;
}

Expected<ConfigValue> fact_at_threads(const FoundFact& fact, double threads) {
  return fact_over_threads(fact).at(threads, fact.path);
}

}  // namespace forewarp::characterise
