// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/kernel_analysis.h"
#include "binding/bound_kernel.h"
#include "binding/occupancy.h"
#include "hardware/gpu.h"
#include "launch/arguments/signature.h"
#include "launch/copy_plan.h"
#include "model/model.h"
#include "model/simulated_time.h"
#include "program/kernel.h"
#include "request/case.h"
#include "request/predict_options.h"
#include "request/tables/work_budget.h"
#include "result/result.h"

namespace forewarp::memory {
struct MemoryProfile;
}
namespace forewarp::model {
struct IntervalTable;
}

namespace forewarp::launch {

struct LaunchProfile;

/// A model with its options parsed and its latency rules found.
struct ModelRun {
  const Model* model = nullptr;
  OptionValues options;
  const LatencyRules* rules = nullptr;
  LoopCounting counting = LoopCounting::strict;
  const BoundLatency* latency = nullptr;
  double longest_block = 0;  ///< as in LaunchShape
  std::string_view caveat;   ///< why the model does not apply here; empty: it does
  std::shared_ptr<const Simulator> simulator;  ///< of a model that simulates
  double divisor = 1;                          ///< calibrated: of the time but for what timing adds
};

/// A launch that the GPU would accept, with what it needs of an SM.
struct LaunchDraft {
  Launch launch;  ///< extents and dynamic shared memory only
  BoundArguments arguments;
  BlockNeeds needs;
  Occupancy occupancy;
  double clock_mhz = 0;
  bool clock_known = false;  ///< stated, or measured on this board
  Timing timing = Timing::device;
  double added_us = 0;  ///< by launching and timing, beside the device's own time
  std::array<MemoryStretch, 3> stretches{};  ///< that meet a slow segment of memory
  double working_share = 1;  ///< blocks like the typical one that do the grid's work, of its blocks

  /// So many blocks like the typical one do the work of the grid: surplus blocks are none of them.
  [[nodiscard]] double working_blocks() const {
    return std::max(1.0, static_cast<double>(launch.blocks()) * working_share);
  }
  /// What counts per warp are multiplied by.
  [[nodiscard]] double working_warps() const {
    return working_blocks() * occupancy.warps_per_block;
  }
  /// Milliseconds in which every SM does cycles_per_warp for its share of the warps.
  [[nodiscard]] double bound_ms(double cycles_per_warp, const Gpu& gpu) const {
    return cycles_per_warp * working_warps() / (gpu.sms * clock_mhz * 1e3);
  }
};

/// Everything between the launch and the models, so that a further point of a sweep costs only what
/// it changes. The kernel and the GPU are shared, the rest belongs to this launch.
struct Prepared {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const KernelAnalysis> analysis;
  std::string input, input_hash;
  std::shared_ptr<const Gpu> gpu;
  LaunchDraft draft;
  std::shared_ptr<const LaunchProfile> profile;  ///< null: counts are static
  std::shared_ptr<const MemoryProfile> memory;   ///< of the profile, on this GPU
  std::unique_ptr<BoundKernel> bound;
  std::unique_ptr<BoundKernel> longest;  ///< of a block far longer than most; null: there is none
  std::string recall_key;      ///< under which the cache of launches keeps it; empty: it does not
  double executed_share = 1;   ///< below: the budget cut a block, and its loops go on as foreseen
  WorkAccount work;            ///< what of the budget execution and caches took
  std::vector<ModelRun> runs;  ///< those to show, preferred first
  bool automatic = false;      ///< the first run with a usable time gives the time; else the first
  Mechanisms met;              ///< what costs time in this launch
  Result::Power power;         ///< of the chosen run, where the clock was looked for
  CopyPlan copies;             ///< their time is added to every model's
  std::shared_ptr<const IntervalTable> intervals;  ///< null: none is known
  std::vector<Result::Assumption> assumptions;
  std::vector<Result::Finding> findings;
  std::vector<std::pair<std::string, std::string>> options;  ///< in effect, for the echo
};

/// When a block that is far longer than most ends, milliseconds; 0 where there is none.
[[nodiscard]] double longest_block_ms(const LaunchShape& launch);

/// The run's prediction, calibrated where a calibration has something for it.
[[nodiscard]] Prediction predict_run(const ModelRun& run, const ModelInput& input);

/// The launch as numbers for the models.
[[nodiscard]] LaunchShape launch_shape(const LaunchDraft& draft);

/// What the case's timing adds to the device's own time, microseconds: what it states of its
/// harness, else the board's number. `asked` is --timing: it wins, and then the harness is not the
/// case's.
[[nodiscard]] double added_microseconds(const Gpu& gpu, const Case& request,
                                        std::optional<Timing> asked);

/// What a model run looks at; refers to `prepared` and `demand`.
[[nodiscard]] ModelInput model_input(const Prepared& prepared, const ModelRun& run,
                                     const Demand& demand);

/// The time of one model run on a prepared launch.
[[nodiscard]] Prediction run_model(const Prepared& prepared, const ModelRun& run,
                                   const Demand& demand);

}  // namespace forewarp::launch
