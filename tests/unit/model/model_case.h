// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

namespace forewarp::tests {

/// A made-up board and kernel in round numbers: 10 SMs at 1000 MHz, 32 lanes a warp, 128 cores,
/// 4 schedulers, 100 GB/s = 10 bytes per cycle and SM.
struct ModelCase {
  Gpu gpu;
  std::vector<ResourceInfo> resources{{"issue", "warp schedulers"}, {"core", "CUDA cores"}};
  Demand demand{2};
  WarpLatency latency{1000, true};
  LaunchShape launch;

  ModelCase() {
    gpu.limits.warp_lanes = 32;
    gpu.sms = 10;
    gpu.schedulers = 4;
    gpu.core_lanes = 128;
    gpu.memory.theory_gbs = 100;
    gpu.memory.read_share = gpu.memory.write_share = gpu.memory.mixed_share = 1;
    launch = {1000, 1, 256, 8, 4, Megahertz(1000), {}, {}};
    demand.count(Count::instructions) = 40;
    demand.cycles(0) = 10;
    demand.cycles(1) = 8;
  }

  [[nodiscard]] Prediction predict(
      const Model& model, std::vector<std::pair<std::string, std::string>> given = {}) const {
    return model.predict(input(), *model.parse_options(given));
  }
  [[nodiscard]] ModelInput input() const { return {gpu, resources, demand, latency, launch, 0}; }
};

}  // namespace forewarp::tests
