// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace forewarp::comparison {

constexpr double same_amount = 0.02;  ///< by how much counting may differ, of the larger one

/// Whether two amounts of one launch differ by more than their counting may.
[[nodiscard]] bool apart(double a, double b, double same = same_amount);

/// "1.05 MB", "2 k words", "64"; the unit may be empty.
[[nodiscard]] std::string amount_text(double amount, const std::string& unit);

}  // namespace forewarp::comparison
