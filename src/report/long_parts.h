// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forewarp::report {

/// Short names for the long parts of formulas, such as the passes of a loop with a stride: "246*p1"
/// and, once for all, "p1 = max(1, (n - 1)/blockDim.x + 1)".
class LongParts {
 public:
  /// The formula with each part in parentheses that is longer than a cell bears under its name.
  [[nodiscard]] std::string shortened(std::string_view formula);
  /// "p1 = .., p2 = .."; empty: nothing was long.
  [[nodiscard]] std::string legend() const;

 private:
  std::vector<std::string> parts_;
};

}  // namespace forewarp::report
