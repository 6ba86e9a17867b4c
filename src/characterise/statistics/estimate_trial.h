// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "characterise/statistics/pmf.h"

namespace forewarp::characterise {

/// How an estimate of an operation's latency does where the latency is known: its error over many
/// draws of windows, in cycles.
struct EstimateTrial {
  std::string_view name, how;
  double mean_bias = 0, mean_spread = 0;            ///< of the estimated mean
  double deviation_bias = 0, deviation_spread = 0;  ///< of the estimated standard deviation
  std::uint32_t without = 0;                        ///< draws from which it says no deviation
};

struct TrialOrder {
  std::uint32_t windows = 1000;  ///< drawn with the operation, and as many without
  std::uint32_t draws = 200;
  std::uint64_t seed = 1;
  double moved = 0;  ///< cycles that the window takes for moved registers, beyond the empty one
};

/// Draws windows and empty ones, estimates the operation from each draw in three ways, and compares
/// with what it is: as the thesis (windows less reflected empty ones, whose deviation is that of
/// Z - Y'), variance corrected (Var Z - Var Y), and by constrained deconvolution (Sánchez 2017,
/// eqs. 6.1-6.3). With `moved` each is there once more, less those cycles. Fails, naming `what`,
/// where a deconvolution does.
Expected<std::vector<EstimateTrial>> compare_estimates(const Pmf& operation, const Pmf& windows,
                                                       const Pmf& empty, const TrialOrder& order,
                                                       std::string_view what);

}  // namespace forewarp::characterise
