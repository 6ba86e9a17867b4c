// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hardware/gpu.h"

namespace forewarp::study {

/// Whole warps per scheduler up to what an SM holds: what chapter 7 compares.
[[nodiscard]] std::vector<double> whole_warps(const Gpu& gpu);

}  // namespace forewarp::study
