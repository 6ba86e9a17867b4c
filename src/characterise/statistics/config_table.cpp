// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/config_table.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.h"

namespace forewarp::characterise {

void ConfigTable::add(const ConfigValue& value) {
  const auto place = std::upper_bound(
      values_.begin(), values_.end(), value,
      [](const ConfigValue& a, const ConfigValue& b) { return a.threads < b.threads; });
  values_.insert(place, value);
}

Expected<ConfigValue> ConfigTable::at(double threads, std::string_view what) const {
  if (values_.empty()) return Diagnostic{std::string(what), "was not measured", "", ""};
  if (threads < values_.front().threads || threads > values_.back().threads) {
    return Diagnostic{
        std::string(what), "was not measured with " + significant(threads, 9) + " threads",
        significant(values_.front().threads, 9) + " .. " + significant(values_.back().threads, 9),
        ""};
  }
  return *std::min_element(values_.begin(), values_.end(),
                           [&](const ConfigValue& a, const ConfigValue& b) {
                             return std::abs(a.threads - threads) < std::abs(b.threads - threads);
                           });
}

}  // namespace forewarp::characterise
