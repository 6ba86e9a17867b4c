// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/expected.h"
#include "driver/preparation.h"
#include "driver/result_detail.h"
#include "driver/trace_launch.h"
#include "hardware/database.h"
#include "request/case.h"
#include "request/predict_options.h"
#include "result/result.h"

namespace forewarp::explain {
struct LaunchEdit;
}

namespace forewarp::driver {

/// Where input, analysis, hardware, binding and models meet. Keeps kernels, GPUs and bound kernels
/// by content, so that many cases on one listing read it once.
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
                               const PredictOptions& options, const TraceOrder& order);

  /// Everything up to the models, which a sweep keeps while it changes grid, block or clock.
  Expected<Prepared> prepare(const Case& request, const std::string& gpu,
                             const PredictOptions& options);

  /// A prepared launch after a virtual edit; nothing is executed again. Refused: as
  /// edited_launch().
  Expected<Prepared> prepare_edited(const Prepared& prepared, const LaunchEdit& edit,
                                    const Case& request, const PredictOptions& options);

  /// What is predicted of a prepared launch.
  Expected<Result> result(const Prepared& prepared, const ResultDetail& detail);

  /// The kernel of a request with its analysis, read once per architecture.
  Expected<LoadedKernel> kernel(const Case& request, const Gpu& gpu, const PredictOptions& options);

  /// The copies of a request that are part of the time of a launch on this GPU.
  Expected<CopyPlan> copies(const Case& request, const Kernel& kernel, const Gpu& gpu,
                            const LaunchDraft& draft, const PredictOptions& options) const;

  /// A GPU with the options' overrides; loaded once.
  Expected<std::shared_ptr<const Gpu>> gpu(const std::string& name, const PredictOptions& options);

 private:
  struct Stores;
  /// The board and the code for it, which every command needs first.
  Expected<std::shared_ptr<const Loaded>> load(const Case& request, const std::string& gpu,
                                               const PredictOptions& options);

  /// A case that has copies but no code.
  Expected<Result> predict_copies(const Case& request, const std::string& gpu,
                                  const PredictOptions& options);

  std::unique_ptr<Stores> stores_;
};

/// A result with only the error and what was asked for.
[[nodiscard]] Result failed_result(const Case& request, const std::string& gpu,
                                   const Diagnostic& failure);

}  // namespace forewarp::driver
