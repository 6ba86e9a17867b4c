// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "driver/predictor.h"
#include "measured/points/measured_set.h"
#include "result/validation.h"
#include "scores/counters.h"
#include "scores/point_keeper.h"
#include "sweep/points/point_runner.h"

namespace forewarp::scores {

struct ValidationOptions {
  PredictOptions choices;         ///< as for one prediction; they override a point's own
  unsigned jobs = 0;              ///< points side by side; 0: as many as the machine runs at once
  std::vector<Counter> counters;  ///< counters to compare where a point has them; empty: none
  bool left_out = false;          ///< use the numbers that were fitted without a point's GPU
  std::string journal;            ///< file of finished points; empty: none is kept
  PointKeeper* keeper = nullptr;  ///< keeps finished points instead of a journal
  PointRunner* runner = nullptr;  ///< computes them; null: threads of this process
  std::string key;                ///< of program and data: points of another key are not taken over
  std::optional<std::uint64_t>
      shuffle;  ///< seed: measurements dealt out anew, a check of the check
  std::function<void(std::size_t done, std::size_t all)> progress;
  std::function<bool()> stop;  ///< true: no further point is begun; empty: all are
};

/// The predicted points of a set. A point that was not begun has no id.
struct PredictedPoints {
  std::vector<ScoredPoint> points;  ///< one for each of the set, in its order
  std::size_t resumed = 0;          ///< taken from the journal
};

/// Every point of the set, side by side. The same whatever the number of jobs and however often it
/// was ended and resumed. Fails when the journal cannot be kept.
/// `axes`: what their keeper tells them apart by.
Expected<PredictedPoints> predict_points(Predictor& predictor, const MeasuredSet& set,
                                         const ValidationOptions& options, const PointAxes& axes);

/// One point, under the choices that its set and the options make for it.
Expected<Result> predict_measured(Predictor& predictor, const MeasuredSet& set,
                                  const MeasuredPoint& measured, const ValidationOptions& options,
                                  const ResultDetail& detail);

/// The case that predict_measured() predicts: with its board's architecture where the set leaves
/// that open. Fails where the point makes no case or its board is not known.
Expected<Case> measured_case(Predictor& predictor, const MeasuredSet& set,
                             const MeasuredPoint& measured, const ValidationOptions& options);

}  // namespace forewarp::scores
