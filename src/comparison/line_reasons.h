// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "result/comparison.h"

namespace forewarp::comparison {

/// The slowest source line of each side and, of the lines that both have, the one whose time
/// changed most, if both sides' lines count the same; lines are the same where their text is. Empty
/// without source lines.
[[nodiscard]] std::vector<std::string> line_reasons(const Comparison& comparison);

}  // namespace forewarp::comparison
