// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"
#include "binding/bound_kernel.h"
#include "hardware/gpu.h"
#include "model/model.h"
#include "synthetic/synthetic_kernel.h"

namespace forewarp::driver {

/// A model's prediction for a workload in its steady state, per SM unless noted.
struct WorkloadPoint {
  double warps = 0;               ///< resident per SM
  double cycles = 0;              ///< SM cycles per warp and group
  double additions = 0;           ///< thread additions per cycle
  double other_instructions = 0;  ///< warp instructions other than additions, per cycle
  double gbs = 0;                 ///< device memory traffic of the whole GPU
  bool applies = true;
};

/// A workload on one GPU: bound once, then run through models at any occupancy. The figures are
/// those of an endless kernel: a finite one is made so long that start and end do not matter.
class WorkloadRun {
 public:
  WorkloadRun(std::shared_ptr<const Gpu> gpu, const Workload& workload);

  [[nodiscard]] const Gpu& gpu() const { return *gpu_; }
  [[nodiscard]] const Workload& workload() const { return workload_; }

  /// `warps` may be any positive number.
  ~WorkloadRun();
  [[nodiscard]] WorkloadPoint point(const Model& model, const OptionValues& options, double warps);
  /// The model's own figures at this occupancy; cycles per warp are those of one group.
  [[nodiscard]] std::vector<ModelNumber> numbers(const Model& model, const OptionValues& options,
                                                 double warps);
  /// Groups of one warp per cycle and SM that the tightest hardware limit allows.
  [[nodiscard]] double peak(const Model& model, const OptionValues& options);
  /// Fewest warps per SM at which the model reaches `share` of the peak; 0: never.
  [[nodiscard]] double needed_warps(const Model& model, const OptionValues& options, double share);

 private:
  struct Input {
    Demand demand;
    WarpLatency latency;
  };
  [[nodiscard]] const Input& input(const Model& model, const OptionValues& options);
  /// The shorter kernel for models that simulate: fewer groups, each warp once.
  struct Followed;
  [[nodiscard]] const Followed& followed(const Model& model);
  [[nodiscard]] Prediction follow(const Model& model, const OptionValues& options, double warps);
  [[nodiscard]] Prediction predict(const Model& model, const OptionValues& options, double warps);
  [[nodiscard]] LaunchShape launch(double warps) const;
  [[nodiscard]] double added_latency() const;
  [[nodiscard]] double additions_alone(const Model& model, const OptionValues& options) const;

  std::shared_ptr<const Gpu> gpu_;
  Workload workload_;
  SyntheticKernel kernel_;
  BoundKernel bound_;
  Demand demand_;
  std::vector<std::pair<const BoundLatency*, Input>> inputs_;
  std::unique_ptr<Followed> followed_;
};

}  // namespace forewarp::driver
