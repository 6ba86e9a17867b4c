// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

namespace forewarp::result {

/// JSON knows no infinity: null for what is not finite.
[[nodiscard]] inline nlohmann::ordered_json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

[[nodiscard]] inline nlohmann::ordered_json json_number(const std::optional<double>& value) {
  if (!value) return nullptr;
  return json_number(*value);
}

}  // namespace forewarp::result
