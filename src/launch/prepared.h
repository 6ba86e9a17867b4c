// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/quantities.h"
#include "launch/copy_plan.h"
#include "launch/stages.h"
#include "model/simulated_time.h"
#include "request/predict_options.h"

namespace forewarp::launch {

/// A model with its options parsed and its latency rules found.
struct ModelRun {
  const Model* model = nullptr;
  OptionValues options;
  const LatencyRules* rules = nullptr;
  LoopCounting counting = LoopCounting::strict;
  const BoundLatency* latency = nullptr;
  Cycles longest_block;     ///< as in LaunchShape
  std::string_view caveat;  ///< why the model does not apply here; empty: it does
  std::shared_ptr<const Simulator> simulator;  ///< for models that simulate
  double divisor = 1;                          ///< calibrated: of the time but for what timing adds
};

/// A launch with the models that are asked for its time: what a what-if or a comparison looks at.
struct Prepared {
  std::shared_ptr<const Bound> stage;
  std::vector<ModelRun> runs;  ///< the runs to show, the preferred first
  bool automatic = false;      ///< the first run with a usable time gives the time; else the first
  Mechanisms met;              ///< what costs time in this launch
  Result::Power power;         ///< of the chosen run, if the clock was determined by power
  CopyPlan copies;             ///< their time is added to every model's
  Notes notes;

  [[nodiscard]] const Executed& executed() const { return *stage->executed; }
  [[nodiscard]] const Drafted& drafted() const { return *executed().drafted; }
  [[nodiscard]] const LoadedKernel& code() const { return drafted().loaded->code; }
  [[nodiscard]] const Kernel& kernel() const { return *code().kernel; }
  [[nodiscard]] const KernelAnalysis& analysis() const { return *code().analysis; }
  [[nodiscard]] const Gpu& gpu() const { return *drafted().loaded->gpu; }
  [[nodiscard]] const LaunchDraft& draft() const { return drafted().draft; }
  [[nodiscard]] const LaunchProfile* profile() const { return executed().profile.get(); }
  [[nodiscard]] const MemoryProfile* memory() const { return executed().memory.get(); }
  [[nodiscard]] BoundKernel& bound() const { return *stage->kernel; }

  /// Milliseconds of a bound: every SM takes cycles_per_warp for each warp of its share.
  [[nodiscard]] double bound_ms(double cycles_per_warp) const {
    const Cycles all(cycles_per_warp * executed().working_warps());
    return time_of(all, gpu().sms * draft().clock).value();
  }
};

/// The run's prediction, calibrated if there is a calibration for it.
[[nodiscard]] Prediction predict_run(const ModelRun& run, const ModelInput& input);

/// A drafted launch as numbers for the models, as if all its blocks worked.
[[nodiscard]] LaunchShape launch_shape(const LaunchDraft& draft);

/// The prepared launch as numbers for the models.
[[nodiscard]] LaunchShape launch_shape(const Prepared& prepared);

/// What timing adds to the device's own time: as the case gives it for its harness, else the
/// board's number. `asked` is --timing; it wins over the case's harness.
[[nodiscard]] Microseconds added_time(const Gpu& gpu, const Case& request,
                                      std::optional<Timing> asked);

/// The input of a model run; refers to `prepared` and `demand`, which must outlive it.
[[nodiscard]] ModelInput model_input(const Prepared& prepared, const ModelRun& run,
                                     const Demand& demand);

/// The time of one model run on a prepared launch.
[[nodiscard]] Prediction run_model(const Prepared& prepared, const ModelRun& run,
                                   const Demand& demand);

}  // namespace forewarp::launch
