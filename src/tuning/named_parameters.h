// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/expected.h"
#include "measured/points/measured_set.h"

namespace forewarp::tuning {

/// Refuses a parameter that neither the source, with the files of its folder that it includes, nor
/// an expression (sizes, restrictions) names: all its values would make the same launch.
/// `defaults`: the kernel's name and what the compiler is given.
Expected<void> check_named(const std::string& source, const Case& defaults,
                           const std::vector<std::string>& expressions,
                           const std::vector<std::string>& names);

/// What to know where one grid stands for blocks of several sizes; empty: nothing.
[[nodiscard]] std::string note_of_one_grid(const std::vector<MeasuredPoint>& points);

}  // namespace forewarp::tuning
