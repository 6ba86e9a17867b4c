// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "result/tuning.h"

namespace forewarp::tuning {

/// The `top` best configurations (0: all), what to measure next, what was refused and why, and how
/// they were ranked.
[[nodiscard]] std::string tuning_text(const Tuning& tuning, std::size_t top);

/// The `top` best configurations (0: all) as CSV: rank, parameters, times in milliseconds, facts.
[[nodiscard]] std::string tuning_csv(const Tuning& tuning, std::size_t top);

}  // namespace forewarp::tuning
