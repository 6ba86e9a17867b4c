// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace forewarp::execution {

/// How much longer the longest block of a grid is than the longest that was looked at.
struct UnseenLongest {
  double expected = 1;
  double most = 1;  ///< with 95 %
};

/// Of `blocks`, of which these `lengths` were drawn and looked at, in the order of the grid;
/// others, which were not drawn, come to `known` at most. Excesses over a threshold (Hosking and
/// Wallis 1987) with a tail that is exponential at most: where data end a loop, a next pass is as
/// likely as the one before. Lengths that follow the index smoothly, or that several blocks reach
/// and none exceeds, have a bound: 1 and 1.
[[nodiscard]] UnseenLongest unseen_longest(std::span<const double> lengths, double blocks,
                                           double known = 0);

}  // namespace forewarp::execution
