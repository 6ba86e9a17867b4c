// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::base {

/// So many standard deviations hold 95 % of a normal distribution on both sides of its mean.
inline constexpr double two_sigma = 1.96;

}  // namespace forewarp::base
