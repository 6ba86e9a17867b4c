// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/predictor.h"

namespace forewarp::driver {

/// The flat figures of one point of a sweep.
struct PointResult {
  double time_ms = 0;
  std::string limited_by;  ///< name of the resource, or "latency"
  std::uint32_t blocks_per_sm = 0, warps_per_sm = 0;
  double needed_warps = 0, waves = 0, latency_cycles = 0;

  /// Column titles of these figures, then "error".
  [[nodiscard]] static const std::vector<std::string>& columns();
};

/// Predicts many launches of one kernel on one GPU. Points whose warps take the same paths share
/// one bound kernel; only trip counts, occupancy and the model's formula are evaluated for each.
/// One object per thread.
class PointPredictor {
 public:
  explicit PointPredictor(Predictor& predictor);
  ~PointPredictor();

  /// `rebind`: the GPU, the clock or the registers may have changed since the last point.
  Expected<PointResult> predict(const Case& request, const PredictOptions& options, bool rebind);

 private:
  Expected<void> rebind(const Query& query);

  struct State;
  Predictor& predictor_;
  std::unique_ptr<State> state_;
};

/// One point by itself, as Predictor::predict() does it: the kernel is executed, once per launch.
Expected<PointResult> predict_executed_point(Predictor& predictor, const Case& request,
                                             const PredictOptions& options);

}  // namespace forewarp::driver
