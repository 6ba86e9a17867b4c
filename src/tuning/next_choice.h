// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tuning/residual_model.h"

namespace forewarp::tuning {

/// At most `count` configurations worth measuring next: each time the one whose expected time, less
/// one standard deviation of its uncertainty, is least; then the uncertainty of configurations like
/// it is reduced by what its measurement would tell. `unsure`: standard deviations of the
/// logarithms before anything is measured; `measured`: the configurations measured.
[[nodiscard]] std::vector<std::size_t> choose_next(const Likeness& likeness,
                                                   const std::vector<double>& expected_ms,
                                                   const std::vector<double>& unsure,
                                                   const std::vector<std::size_t>& measured,
                                                   std::size_t count);

}  // namespace forewarp::tuning
