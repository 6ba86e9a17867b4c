// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "result/validation.h"

namespace forewarp::report {

/// One self-contained page: a line per set, then each set's scores, scatter plots and the points
/// most wrong, with the full report of those that carry one.
[[nodiscard]] std::string validation_page(const Validation& validation);

}  // namespace forewarp::report
