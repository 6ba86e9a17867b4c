// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "result/result.h"

namespace forewarp::report::html {

/// Time over the numeric axis that varies most, one colour per combination of the other axes (at
/// most eight; the rest share one), the ranges as bands. Logarithmic where the values span more
/// than a factor of 100. Empty when no numeric axis varies.
[[nodiscard]] std::string time_plot(const std::vector<Result>& results);

}  // namespace forewarp::report::html
