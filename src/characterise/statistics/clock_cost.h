// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Windows record Z = X + Y: the operation's latency X and the cost Y of reading the clock, which
// the same kernel without the operation measures alone (Sánchez 2017, eqs. 6.1-6.3).
#pragma once

#include <optional>
#include <string_view>

#include "base/expected.h"
#include "characterise/statistics/pmf.h"

namespace forewarp::characterise {

/// What is known of X. The mean is right; the distribution is that of Z - Y' with an independent
/// Y', which is wider than X on both sides.
struct ClockFree {
  Pmf widened;                   ///< f_Z convolved with the reflected f_Y (eq. 6.3)
  double inflated_variance = 0;  ///< of `widened`: Var Z + Var Y = Var X + 2 Var Y
  double variance = 0;           ///< Var Z - Var Y, which may come out below 0

  [[nodiscard]] double mean() const { return widened.mean(); }
  /// Of X; nullopt where the variance came out below 0.
  [[nodiscard]] std::optional<double> deviation() const;
};

/// Removes the cost of the clock as the thesis does. Fails, naming `what`, where it is too much
/// work.
Expected<ClockFree> without_clock(const Pmf& windows, const Pmf& empty, std::string_view what);

/// A distribution of X that gives back the windows when Y is added: no mass below 0, sum 1. Exact
/// where the windows are exact; otherwise the most likely one after `rounds` of expectation and
/// maximisation. `residual`: half of the sum of |f_Z - f_X * f_Y|.
struct Deconvolution {
  Pmf pmf;
  bool exact = false;
  double residual = 0;
};
/// Fails, naming `what`, where the windows spread less than the empty ones, and where it is
/// too much work.
Expected<Deconvolution> deconvolved(const Pmf& windows, const Pmf& empty, std::size_t rounds,
                                    std::string_view what);

}  // namespace forewarp::characterise
