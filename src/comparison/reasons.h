// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "result/comparison.h"

namespace forewarp::comparison {

/// The share within which two times are called equal.
inline constexpr double same_time = 0.005;

/// "B takes 1.31x the time of A (..): .. ; needed occupancy falls from 58 to 12 warps per SM".
[[nodiscard]] std::string answer_of(const Comparison& comparison);

/// Sentences from facts of both results: needed occupancy as latency times throughput bound and
/// which of the two moved it (Volkov 2016, 3.10), the tightest bounds, hidden or not, residency,
/// waves, instructions by class, traffic, stalls. Only what differs.
[[nodiscard]] std::vector<std::string> reasons_of(const Comparison& comparison);

}  // namespace forewarp::comparison
