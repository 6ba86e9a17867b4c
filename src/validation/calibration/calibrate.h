// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "driver/predictor.h"
#include "measured/points/measured_set.h"
#include "request/tables/calibration.h"
#include "validation/calibration/contention_fit.h"
#include "validation/validation.h"

namespace forewarp::validation {

struct CalibrateOptions {
  ValidationOptions prediction;  ///< as for validate; its choice of models is replaced
  std::string model;             ///< whose factor; empty: the one that `auto` prefers
  std::string bound;             ///< only points limited by "memory", "latency" or "compute"
  std::string from;              ///< only the point of this id
  bool by_capability = false;    ///< factors hold for every board of the capability
  std::string source, sha256;    ///< of the file of measurements
};

/// Points with a measured time that gave no value.
struct LeftOutPoints {
  std::size_t count = 0;
  std::string first;  ///< id and reason of the first
};

/// Lambda of every kernel and board of the set (Gajger 2017, eq. 4.4): the median over the points
/// of estimated over measured time, both without what timing adds, estimated at lambda 1. Refused:
/// fewer than three points (unless one is named), and points of which fewer than two thirds lie
/// within a quarter of the median: they tell of no one factor. By capability the points of all its
/// boards make one factor.
Expected<std::vector<CalibratedFactor>> calibrate_factors(Predictor& predictor,
                                                          const MeasuredSet& set,
                                                          const CalibrateOptions& options,
                                                          LeftOutPoints* left_out = nullptr);

/// Share of the theoretical bandwidth that each board of the set reaches, by mix of reads and
/// writes, from the points that device memory limits. Refused as factors are, and where a share
/// comes out above 1.
Expected<std::vector<CalibratedNumber>> calibrate_bandwidth(Predictor& predictor,
                                                            const MeasuredSet& set,
                                                            const CalibrateOptions& options,
                                                            LeftOutPoints* left_out = nullptr);

/// a, b and c as numbers of one board.
Expected<std::vector<CalibratedNumber>> calibrate_contention(
    const Gpu& gpu, const std::vector<LoadedLatency>& points, const CalibrateOptions& options);

}  // namespace forewarp::validation
