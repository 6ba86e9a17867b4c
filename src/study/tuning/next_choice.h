// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "study/tuning/residual_model.h"

namespace forewarp::study {

/// The configurations that are worth measuring next, `count` at most: each time the one with the
/// least expected time less one standard deviation of what is not known of it, then what alike
/// configurations would tell of each other once it is measured is taken off theirs. `unsure` holds
/// the deviations of the logarithms before anything is measured, `measured` what was.
[[nodiscard]] std::vector<std::size_t> choose_next(const Likeness& likeness,
                                                   const std::vector<double>& expected_ms,
                                                   const std::vector<double>& unsure,
                                                   const std::vector<std::size_t>& measured,
                                                   std::size_t count);

}  // namespace forewarp::study
