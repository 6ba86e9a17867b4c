// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/expected.h"
#include "hardware/database.h"
#include "prediction/evaluation.h"
#include "request/case.h"
#include "request/predict_options.h"
#include "result/result.h"
#include "result/result_detail.h"

namespace forewarp::explain {
struct LaunchEdit;
}

namespace forewarp::driver {

struct TraceOptions;
struct TraceSummary;

/// Where all stages of a prediction meet. Keeps kernels by where they come from, boards by name and
/// what is changed of them, stages by content, so that many cases on one listing read it once and
/// equal stages are made once. Thread safe.
class Predictor {
 public:
  explicit Predictor(HardwareDatabase database);
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  /// Code that is in memory: requests whose input is `name` read these bytes. The first of a name
  /// stays.
  void give_input(const std::string& name, std::string bytes);
  /// A file may have changed: the next request reads it again. What is being predicted goes on.
  void forget_input(const std::string& name);

  /// One case on one GPU (`gpu` wins over the case's). A launch that cannot be predicted is a
  /// diagnostic; the caller turns it into a result with `error` where results are expected.
  Expected<Result> predict(const Case& request, const std::string& gpu,
                           const PredictOptions& options, const ResultDetail& detail);

  /// As predict(), on every GPU that the options or the case name, in that order.
  std::vector<Result> predict_all(const Case& request, const PredictOptions& options,
                                  const ResultDetail& detail);

  /// Executes the kernel and counts, without models: a result with a profile but no time.
  Expected<Result> profile(const Case& request, const std::string& gpu,
                           const PredictOptions& options);

  /// As profile(), on every GPU that the options or the case name, in that order.
  std::vector<Result> profile_all(const Case& request, const PredictOptions& options);

  /// Executes the kernel and writes what its warps did, instruction by instruction.
  Expected<TraceSummary> trace(const Case& request, const std::string& gpu,
                               const PredictOptions& options, const TraceOptions& order);

  /// The launch with the times of its models, which a what-if or a comparison looks at. Each stage
  /// is taken from an earlier prediction where its key is the same.
  Expected<std::shared_ptr<const Evaluation>> evaluate(const Query& query);
  Expected<std::shared_ptr<const Evaluation>> evaluate(const Case& request, const std::string& gpu,
                                                       const PredictOptions& options);

  /// An evaluated launch after a virtual edit; nothing is executed again. Refused: as
  /// edited_launch().
  Expected<Evaluation> evaluate_edited(const Evaluation& evaluation, const LaunchEdit& edit,
                                       const Query& query);

  /// What is predicted of an evaluated launch.
  Expected<Result> result(const Evaluation& evaluation, const ResultDetail& detail);

  /// The kernel of a request with its analysis, read once per architecture.
  Expected<LoadedKernel> kernel(const Case& request, const Gpu& gpu, const PredictOptions& options);

  /// The kernels of a request's input, by their mangled names.
  Expected<std::vector<std::string>> kernels(const Case& request, const Gpu& gpu,
                                             const PredictOptions& options);

  /// The copies of a request that are part of the time of a launch.
  Expected<CopyPlan> copies(const Launch& launch, const Query& query) const;

  /// A GPU with the options' overrides; loaded once.
  Expected<std::shared_ptr<const Gpu>> gpu(const std::string& name, const PredictOptions& options);

  /// Where all stages are kept by their keys.
  [[nodiscard]] const std::shared_ptr<MemoryCache>& cache() const;

 private:
  struct Stores;
  struct Planned;
  Expected<Launch> launch(const Query& query);
  Expected<Planned> plan(const Query& query);
  Expected<std::shared_ptr<const Evaluation>> evaluate(const Query& query, const Planned& planned);
  Expected<Result> answer(const Query& query, const Planned& planned, const ResultDetail& detail);
  Expected<Evaluation> settled(const Query& query, const std::shared_ptr<const Launch>& launch,
                               const std::shared_ptr<const Trace>& trace);
  Expected<Evaluation> staged(const Query& query, std::shared_ptr<const Launch> launch,
                              std::shared_ptr<const Trace> trace);

  /// A case that has copies but no code.
  Expected<Result> predict_copies(const Query& query);

  std::unique_ptr<Stores> stores_;
};

/// A result with only the error and what was asked for.
[[nodiscard]] Result failed_result(const Case& request, const std::string& gpu,
                                   const Diagnostic& failure);

}  // namespace forewarp::driver
