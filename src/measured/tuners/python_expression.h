// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/expected.h"

namespace forewarp::measured {

/// The value of max(NAME) or min(NAME), which tuning tools write for the list of a parameter's
/// values; nullopt: the name has no list.
using ListBound = std::function<std::optional<double>(std::string_view name, bool largest)>;

/// Translates an arithmetic expression that tuning tools write in Python to one that RowScope
/// evaluates: + - * / // % **, comparisons (also chained), and or not (or as C has them), A if C
/// else B, ceil, floor, int, round, abs, min, max, sqrt, log2, True, False, names, NAME[0] (which
/// becomes NAME_0). Refused in one line: everything else.
Expected<std::string> formula_of(std::string_view python, const ListBound& bound = {});

}  // namespace forewarp::measured
