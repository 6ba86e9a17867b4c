// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cache/memory_cache.h"
#include "base/expected.h"
#include "base/quantities.h"
#include "model/mechanisms.h"
#include "prediction/bound.h"
#include "prediction/copy_plan.h"
#include "prediction/launch.h"
#include "prediction/query.h"
#include "prediction/trace.h"
#include "prediction/uneven.h"

namespace forewarp::binding {
struct BoundLatency;
}
namespace forewarp::model {
struct Candidate;
class Simulator;
}  // namespace forewarp::model

namespace forewarp::prediction {

/// A model with its options parsed, its latency rules found, and its time.
struct ModelRun {
  const Model* model = nullptr;
  OptionValues options;
  const LatencyRules* rules = nullptr;
  LoopCounting counting = LoopCounting::strict;
  const BoundLatency* latency = nullptr;
  Cycles longest_block;       ///< as in LaunchShape
  Cycles longest_most;        ///< .. with the longest that nobody looked at as long as it may be
  double longest_begins = 0;  ///< after so much of the others' time
  /// Least, as blocks wait for each other or for a time to pass. 0: they do not.
  Cycles ordered;
  std::shared_ptr<const UnevenBlocks> uneven;  ///< null: the blocks are alike
  std::string_view caveat;  ///< why the model does not apply here; empty: it does
  std::shared_ptr<const Simulator> simulator;  ///< for models that simulate
  double divisor = 1;                          ///< calibrated: of the time but for what timing adds
  Prediction prediction;  ///< its time is NaN where the rule of `auto` did not ask it
};

/// The fifth stage: the models that were asked, their times, and which of them is taken. Made once
/// from the stages before it, which it holds, and never changed.
struct Evaluation {
  std::shared_ptr<const Launch> launch;
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const Bound> bound;

  std::vector<ModelRun> runs;  ///< the runs to show, the preferred first
  bool automatic = false;      ///< the first run with a usable time gives the time; else the first
  Mechanisms met;              ///< what costs time in this launch
  Demand demand;               ///< of a warp of this launch
  std::size_t chosen = 0;      ///< of `runs`
  /// If `auto` ran a closed form and a simulation: the time not taken over the time taken; else 1.
  double other_over_chosen = 1;
  Result::Power power;  ///< of the chosen run, if the clock was determined by power
  CopyPlan copies;      ///< their time is added to every model's
  Notes notes;          ///< of all stages up to here, in their order

  [[nodiscard]] const ModelRun& taken() const { return runs[chosen]; }
};

/// Refuses unknown models, and options that they lack, before anything is executed.
Expected<void> check_models(const Query& query);

/// Chooses the models and runs them: formulas first, a simulation only if the rule of `auto` asks
/// for it (automatic_rule.h) or if it was named. Refuses a launch for which no model gives a time.
/// `cache`: where simulations are kept; null: nowhere.
Expected<Evaluation> evaluate(std::shared_ptr<const Launch> launch,
                              std::shared_ptr<const Trace> trace,
                              std::shared_ptr<const Bound> bound, const Query& query,
                              const std::shared_ptr<MemoryCache>& cache);

/// The models chosen, but not run yet: for many launches along the same paths.
Expected<Evaluation> choose_runs(std::shared_ptr<const Launch> launch,
                                 std::shared_ptr<const Trace> trace,
                                 std::shared_ptr<const Bound> bound, const Query& query,
                                 const std::shared_ptr<MemoryCache>& cache);

/// Runs those of `runs` that are asked, and takes one.
Expected<void> run_models(Evaluation& evaluation);

/// Whether the time of a run's prediction is that of the order between its blocks.
[[nodiscard]] bool waits_for_order(const ModelRun& run, const LaunchShape& launch,
                                   const Prediction& prediction);

/// The run's prediction of any input, calibrated if there is a calibration for it.
[[nodiscard]] Prediction predict_run(const ModelRun& run, const ModelInput& input);

/// Whether `auto` may take this time: the model applies, and the time is finite and above 0.
[[nodiscard]] bool usable(const ModelRun& run, const Prediction& prediction);

/// The runs as the rule of `auto` sees them.
[[nodiscard]] std::vector<Candidate> candidates_of(const Evaluation& evaluation);

/// The message when no model's time can be used.
[[nodiscard]] Diagnostic no_usable_model(const Launch& launch);

/// A launch as numbers for the models, as if all its blocks worked.
[[nodiscard]] LaunchShape launch_shape(const Launch& launch);

/// The same with the blocks that work, and slow segments of memory.
[[nodiscard]] LaunchShape launch_shape(const Evaluation& evaluation);

/// The input of a model run; refers to `evaluation` and `demand`, which must outlive it.
[[nodiscard]] ModelInput model_input(const Evaluation& evaluation, const ModelRun& run,
                                     const Demand& demand);

/// The units that the kernel may wait for, in the order of its demand.
[[nodiscard]] const std::vector<ResourceInfo>& resources_of(const Evaluation& evaluation);

/// Milliseconds of a bound: every SM takes cycles_per_warp for each warp of its share.
[[nodiscard]] double bound_ms(const Evaluation& evaluation, double cycles_per_warp);

/// Time of the launch, over the one predicted, if the longest of the blocks that nobody looked at
/// is as long as it may be; 1 where that does not decide.
[[nodiscard]] double longest_unseen(const Evaluation& evaluation);

/// Bytes of memory that it takes with the stages that it holds, for the cache.
[[nodiscard]] std::size_t kept_bytes(const Evaluation& evaluation);

}  // namespace forewarp::prediction
