// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace forewarp::base {

/// significant() for sentences: thousands set apart (150,000), from a million on with a letter (1.5
/// M).
[[nodiscard]] std::string counted(double value, int digits = 4);

}  // namespace forewarp::base
