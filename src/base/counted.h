// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace forewarp::base {

/// significant() with thousands set apart, for sentences: 1,500,000.
[[nodiscard]] std::string counted(double value, int digits = 4);

}  // namespace forewarp::base
