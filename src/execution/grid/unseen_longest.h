// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

namespace forewarp::execution {

/// The longest block of a grid of which a part was looked at, by the warp instructions of its
/// longest warp.
struct UnseenLongest {
  double expected = 0;  ///< 0: nothing was drawn, or nothing is left
  double most = 0;      ///< with 95 %, if the tail is exponential at most
};

/// A block that was drawn, as a share of the grid along each axis, and its longest warp.
struct DrawnLength {
  std::array<double, 3> place{};
  double length = 0;
};

/// Of `population` blocks, from which these were drawn; others, which were not drawn, come to
/// `known` at most. Excesses over a threshold (Hosking and Wallis 1987) with a tail that is
/// exponential at most: where data end a loop, a next pass is as likely as the one before. A few
/// tell no more than that, so that only `most` goes beyond what was met. Nor does `expected` where
/// several reach a length that none exceeds, or lengths follow the place in the grid smoothly.
[[nodiscard]] UnseenLongest unseen_longest(std::span<const DrawnLength> drawn, double population,
                                           double known = 0);

}  // namespace forewarp::execution
