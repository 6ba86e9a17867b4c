// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model.h"

namespace forewarp::tests {

/// A model's own number by name; no number where it has none of that name.
inline double figure(const Model& model, const ModelInput& input, std::string_view name,
                     const std::vector<std::pair<std::string, std::string>>& given = {}) {
  const OptionValues options = *model.parse_options(given);
  for (const ModelNumber& n : model.numbers(input, options, model.predict(input, options))) {
    if (n.name == name) return n.value;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace forewarp::tests
