// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/predictor.h"
#include "sweep/results_table.h"
#include "sweep/sweep.h"

namespace forewarp::sweep {

/// The points of a sweep: few of them are executed one by one, many follow from the static
/// analysis, which a bound kernel and its formulas answer in microseconds.
class SweepPoints {
 public:
  static constexpr std::uint64_t most_executed = 256;

  /// All that is handed over lives longer. `workers`: threads that ask at once.
  SweepPoints(Predictor& predictor, const Sweep& sweep, const Case& request,
              const PredictOptions& options, unsigned workers);
  ~SweepPoints();

  [[nodiscard]] bool executes() const { return executes_; }

  /// The cells of PointResult::columns().
  TableRow predict(std::uint64_t point, unsigned worker);

 private:
  struct Scratch;
  Predictor& predictor_;
  const Sweep& sweep_;
  bool executes_;
  std::vector<std::unique_ptr<Scratch>> scratch_;  // of each worker
};

}  // namespace forewarp::sweep
