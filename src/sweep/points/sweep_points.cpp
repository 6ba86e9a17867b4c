// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/points/sweep_points.h"

#include "driver/point_predictor.h"

namespace forewarp::sweep {

namespace {

TableRow table_row(const Expected<PointResult>& point) {
  if (!point) {
    TableRow row(PointResult::columns().size());
    row.back() = point.error().line();
    return row;
  }
  return {point->time_ms,
          point->limited_by,
          static_cast<double>(point->blocks_per_sm),
          static_cast<double>(point->warps_per_sm),
          point->needed_warps,
          point->waves,
          point->latency_cycles,
          std::monostate{}};
}

}  // namespace

/// What one thread changes from point to point.
struct SweepPoints::Scratch {
  Scratch(const Case& first, const PredictOptions& options, Predictor& predictor)
      : request(first), choices(options), points(predictor) {
    choices.jobs = 1;
  }
  Case request;
  PredictOptions choices;
  PointPredictor points;
};

SweepPoints::SweepPoints(Predictor& predictor, const Sweep& sweep, const Case& request,
                         const PredictOptions& options, unsigned workers)
    : predictor_(predictor),
      sweep_(sweep),
      executes_(options.execute && sweep.count() <= most_executed) {
  for (unsigned worker = 0; worker < workers; ++worker) {
    scratch_.push_back(std::make_unique<Scratch>(request, options, predictor));
  }
}

SweepPoints::~SweepPoints() = default;

TableRow SweepPoints::predict(std::uint64_t point, unsigned worker) {
  Scratch& own = *scratch_[worker];
  sweep_.apply(point, own.request, own.choices);
  if (executes_) return table_row(predict_executed_point(predictor_, own.request, own.choices));
  return table_row(own.points.predict(own.request, own.choices, sweep_.changes_binding()));
}

}  // namespace forewarp::sweep
