// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Gajger 2017, "Modeling parallel processing with GPU and verification using the MERPSYS platform":
//   T = warps / (throughput * SMs * clock * lambda)                             (4.1)
//   warps = grid * ceil(block / warp size)                                      (4.2)
//   throughput = min(occupancy / latency, 1 / CPW)                              (4.3, 4.6)
//   CPW = max(warp size * INS_CUDA / cores, INS_issued / schedulers, bytes / bandwidth)   (4.5)
//   bandwidth = clock * bus / 8 * rate / (SMs * SM clock) bytes per cycle and SM          (4.7)
// Inputs: executed counts, bytes at full-warp traffic, latency by the thesis's table, occupancy.
// Not in it: waves and tails, queues in memory. Switched off as in the thesis: terms for special
// functions, FP64, shared memory, separate pipes, cache hits, saturation, launch cost (options).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace forewarp::model {

/// Bytes of device memory per SM and cycle: eq. 4.7, unless the parameter set states the rounded
/// figure.
[[nodiscard]] BytesPerCycle memory_rate_of_sm(const Gpu& gpu, Megahertz clock);

class GajgerModel : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "gajger"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "two-mode warp throughput with three limits and one scaling parameter per architecture";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "T. Gajger, MSc thesis, Gdansk University of Technology, 2017, eqs. 4.1-4.7";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override;
  [[nodiscard]] std::string_view latency_rules() const override { return "gajger"; }
  [[nodiscard]] LoopCounting loop_counting(const OptionValues& options) const override;
  [[nodiscard]] std::vector<ResourceInfo> bounds(
      std::span<const ResourceInfo> resources) const override;
  [[nodiscard]] Prediction predict(const ModelInput& input,
                                   const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> numbers(const ModelInput& input,
                                                 const OptionValues& options,
                                                 const Prediction& prediction) const override;
};

}  // namespace forewarp::model
