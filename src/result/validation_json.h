// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "result/validation.h"

namespace forewarp::result {

/// One JSON object, schema "forewarp.validation/1": sets[{name title source lines[] baselines[]
/// groups[] counters[] notes[] points[]}]. Errors are shares, times milliseconds; what has no
/// value is null.
[[nodiscard]] std::string to_json(const Validation& validation);

/// A point on one line without its end, and back; nothing when the line is no whole point.
[[nodiscard]] std::string point_line(const ScoredPoint& point, std::string_view key);
struct KeyedPoint {
  std::string key;
  ScoredPoint point;
};
[[nodiscard]] std::optional<KeyedPoint> read_point_line(std::string_view line);

}  // namespace forewarp::result
