// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// From recorded windows to a distribution (Sánchez 2017, section 6.1): vectorise, decimate, sort,
// frequency, normalise. Reflection and convolution are those of Pmf.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "characterise/statistics/pmf.h"

namespace forewarp::characterise {

/// One value of each group of `lanes`, in the order of the threads. Fails, naming `what` and the
/// position, where the values of a group differ, or the last group is not whole.
Expected<std::vector<double>> decimated(std::span<const double> values, std::size_t lanes,
                                        std::string_view what);

/// The same of counted values, whose order is lost: every count has to be a multiple of `lanes`.
Expected<Histogram> decimated(const Histogram& counted, std::size_t lanes, std::string_view what);

/// Sorted values with their frequency.
[[nodiscard]] Histogram frequencies(std::span<const double> values);

/// The whole way: decimated, counted and normalised. `lanes` of 1 leaves out the decimation, as for
/// counters, of which a run has one value.
Expected<Pmf> distribution(std::span<const double> values, std::size_t lanes,
                           std::string_view what);

}  // namespace forewarp::characterise
