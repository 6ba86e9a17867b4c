// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "binding/path.h"
#include "binding/trip_polynomial.h"

namespace forewarp::binding {

/// "918 + 24*a": the polynomial with each loop's trip formula in place of its count. Loops with a
/// number as trip count are multiplied out.
[[nodiscard]] std::string formula_text(const TripPolynomial& formula,
                                       const std::vector<PathLoop>& loops);

}  // namespace forewarp::binding
