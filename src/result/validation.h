// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "result/result.h"

namespace forewarp::result {

/// Errors of predictions p against measurements t, as shares (0.05 is 5 %). What needs two points
/// or differing values is NaN without them.
struct Scores {
  std::size_t points = 0;
  double mape = 0;         ///< mean |p - t| / t
  double bias = 0;         ///< mean (p - t) / t
  double ratio = 0;        ///< geometric mean of p / t
  double p90 = 0;          ///< 90th percentile of |p - t| / t, interpolated
  double worst = 0;        ///< largest |p - t| / t
  double scaled_mape = 0;  ///< after the one factor on p that minimises it
  double spearman = 0;     ///< of ranks, ties averaged
  double kendall = 0;      ///< tau-b
  double regret_1 = 0;     ///< t of the best predicted / least t - 1; ties averaged
  double regret_5 = 0;     ///< the same of the best of 5, 10
  double regret_10 = 0;
  double coverage = 0;  ///< share of measurements inside the interval
  double width = 0;     ///< mean (high - low) / p
};

/// A profiler's counter and the same figure of our profile.
struct CountedFigure {
  std::string counter;
  double own = 0, counted = 0;
};

/// The step at which a point failed: it makes no launch, its code cannot be read or compiled, the
/// board or the models refuse it.
enum class PointRefusal : std::uint8_t { none, no_launch, no_code, no_prediction };

/// One measurement with its prediction.
struct ScoredPoint {
  std::string id, gpu, kernel, group;
  std::string apart;  ///< why it is judged apart from the others; empty: it is not
  std::string error;  ///< why there is no prediction; empty: there is one
  PointRefusal refused = PointRefusal::none;
  double measured_ms = 0;  ///< 0: only counters were measured
  double spread = 0;       ///< of the measurement, as a share; 0: not known
  double predicted_ms = 0, low_ms = 0, high_ms = 0;
  std::string interval_class;           ///< of launches whose residuals the interval comes from
  std::string limited_by, limit_label;  ///< the resource, and its name for people
  double warps_per_sm = 0, waves = 0;
  std::uint32_t registers = 0;
  double bytes = 0;  ///< that any program must move through device memory
  double gbs = 0;    ///< theoretical bandwidth of the board
  std::vector<CountedFigure> counters;
  double reference_ms = 0;                 ///< what another predictor says; 0: none
  std::map<std::string, double> model_ms;  ///< every model's time, also of those that do not apply

  [[nodiscard]] bool predicted() const { return error.empty() && predicted_ms > 0; }
  /// Whether it can be scored: it has both times.
  [[nodiscard]] bool timed() const { return predicted() && measured_ms > 0; }
  /// (p - t) / t.
  [[nodiscard]] double relative_error() const { return predicted_ms / measured_ms - 1; }
};

/// Scores of the points of one part of a set on one GPU and kernel; empty names: all of them.
struct ScoreLine {
  std::string part;  ///< empty: the judged points; else why these are apart
  std::string gpu, kernel;
  std::size_t refused = 0;  ///< points without a prediction
  Scores scores;
};

/// Scores of one model alone, on all GPUs or on one.
struct ModelLine {
  std::string gpu, model;  ///< no GPU: all
  Scores scores;           ///< of the judged points
};

/// Errors of another predictor on the judged points of one kernel, and ours on the same points.
struct ReferenceLine {
  std::string kernel;  ///< empty: all
  std::size_t points = 0;
  double mape = 0;                 ///< mean |p - t| / t
  double mae_ms = 0, rmse_ms = 0;  ///< mean |p - t|; root of the mean square
  double own_mape = 0;             ///< of the same points
  double own_scaled = 0;  ///< the same after one factor on the line's points: as a model that was
                          ///< calibrated kernel by kernel
};

/// Errors of a trivial predictor on the judged points after one fitted factor, which Forewarp does
/// not get.
struct BaselineLine {
  std::string name, sentence;
  double mape = 0, spearman = 0;
};

/// The medians of one sweep.
struct GroupLine {
  std::string part, group;
  std::size_t points = 0;
  double measured_ms = 0, predicted_ms = 0;  ///< medians
  double mape = 0;
};

/// Ratios own / counted of one counter over a set's judged points, and over those judged apart.
struct CounterLine {
  std::string counter;
  double goal = 0;  ///< allowed distance of the median from 1; 0: not judged
  std::size_t points = 0, others = 0;
  double median = 0, mean = 0, p10 = 0, p90 = 0;
  double worst = 0;  ///< the ratio farthest from 1
  double others_median = 0;

  [[nodiscard]] bool holds() const { return std::fabs(median - 1) <= goal; }
};

/// A set of measurements with its predictions.
struct ValidatedSet {
  std::string name, title, source;
  std::vector<ScoredPoint> points;
  std::vector<ScoreLine> lines;  ///< judged first; all before its GPUs before their kernels
  std::vector<ModelLine> models;
  std::vector<BaselineLine> baselines;
  std::string reference;  ///< whose predictions `references` are; empty: nobody's
  std::vector<ReferenceLine> references;
  std::vector<GroupLine> groups;
  std::vector<Result> worst;  ///< full results of the worst points, if asked for
  std::vector<CounterLine> counters;
  std::vector<std::string> notes;  ///< how the file was read, what was left out
  std::size_t resumed = 0;         ///< points taken from the journal
};

/// The judged points with the largest errors, worst first.
[[nodiscard]] std::vector<const ScoredPoint*> worst_points(const ValidatedSet& set,
                                                           std::size_t count);

struct Validation {
  std::vector<ValidatedSet> sets;
  std::string options;  ///< as on the command line, for the head of a report
  std::string tool_version;
};

}  // namespace forewarp::result
