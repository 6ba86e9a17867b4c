// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/expected.h"
#include "driver/predictor.h"
#include "prediction_options.h"
#include "result/result.h"
#include "run_asked.h"
#include "scores/point_keeper.h"
#include "serve_asked.h"
#include "simulate_asked.h"
#include "sweep/points/point_runner.h"

namespace forewarp::cli {

/// Where the points of a run go to.
struct KeepOptions {
  std::string kind;   ///< sweep, cases, tune, validate
  std::string store;  ///< the file
  bool again = false;
};

/// What `forewarp results` is asked for.
struct ResultsOptions {
  std::string what;  ///< list, show, diff, export, merge
  std::string store;
  std::vector<std::int64_t> runs;
  std::vector<std::string> files;  ///< stores that are merged
  std::vector<std::string> where, columns;
  std::string order, format, output;
  std::uint64_t limit = 0;
  std::int64_t detail = -1;  ///< number of a point whose whole result is shown; below 0: none
};

/// What a program does with points that are to be kept, and with whom it shares them. `forewarp`
/// itself knows no store: its host hands the command line over to the program beside it that does.
class StudyHost {
 public:
  virtual ~StudyHost() = default;

  /// Every point of the sweep, kept.
  virtual Expected<int> sweep(Predictor& predictor, const Asked& asked) = 0;
  /// Every case of the file of cases, kept; lines out as without a store.
  virtual Expected<int> cases(const Asked& asked,
                              const std::function<Result(const Case&)>& answer) = 0;
  /// Null: another process keeps them.
  virtual Expected<std::unique_ptr<PointKeeper>> keeper(Predictor& predictor,
                                                        const KeepOptions& order) = 0;
  virtual Expected<int> results(const ResultsOptions& order) = 0;
  /// An application on a system: one run is simulated by a third program, suites are shared out.
  virtual Expected<int> simulate(const SimulateAsked& asked) = 0;
  virtual Expected<int> queue(const QueueAsked& asked) = 0;
  /// The workbench, which neither of the two programs serves itself.
  virtual Expected<int> serve(const ServeAsked& asked) = 0;
  /// A CUDA program, which another program starts.
  virtual Expected<int> run(const RunAsked& asked) = 0;

  /// Who computes points; null: threads of this process.
  [[nodiscard]] virtual PointRunner* runner() = 0;
  /// Whether this process is the one that prints; others of the same command only compute.
  [[nodiscard]] virtual bool answers() const = 0;
};

}  // namespace forewarp::cli
