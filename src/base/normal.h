// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::base {

/// Standard deviations on each side of the mean that contain 95 % of a normal distribution.
inline constexpr double two_sigma = 1.96;

}  // namespace forewarp::base
