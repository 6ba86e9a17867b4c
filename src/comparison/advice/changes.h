// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "result/result.h"

namespace forewarp::comparison {

/// Why a prediction is faster than another one of the same kernel: what of its counts became
/// better, the largest changes first: "16 sectors per request instead of 31.8, 64 of 82 SMs in use
/// instead of 32". Where no count did, the cycles of what limited; empty: nor did those.
[[nodiscard]] std::string changes(const Result& now, const Result& then);

}  // namespace forewarp::comparison
