// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hardware/gpu.h"

namespace forewarp::validation {

/// The occupancies of Volkov 2016, chapter 7: warps per SM, a whole number per scheduler, up to
/// what an SM holds.
[[nodiscard]] std::vector<double> whole_warps(const Gpu& gpu);

}  // namespace forewarp::validation
