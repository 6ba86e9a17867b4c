// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulates the SM warp instruction by warp instruction (src/timing); this is the interface to it
// among the models. Inputs: what the warps executed, where each load was served, the GPU's rates
// and latencies. Known limits: caches are hit in the shares of the memory profile, not by address;
// blocks differ only in their kinds of warps.
#pragma once

#include "model/model.h"
#include "model/simulated_time.h"

namespace forewarp::model {

/// What the options of the model `sim` ask for.
[[nodiscard]] SimulationChoice simulation_choice(const OptionValues& options);

class SimModel : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "sim"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the SM simulated from issue to issue, with its queues, units and policies";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "docs/timing.md; issue rules after Huerta et al. 2025 (arXiv 2503.20481)";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override;
  /// Empty: the rules of the parameter set in use.
  [[nodiscard]] std::string_view latency_rules() const override { return {}; }
  [[nodiscard]] bool simulates() const override { return true; }
  [[nodiscard]] std::shared_ptr<const SimulatedTime> simulated(
      const ModelInput& input, const OptionValues& options) const override;
  [[nodiscard]] std::vector<ResourceInfo> bounds(
      std::span<const ResourceInfo> resources) const override;
  [[nodiscard]] Prediction predict(const ModelInput& input,
                                   const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> numbers(const ModelInput& input,
                                                 const OptionValues& options,
                                                 const Prediction& prediction) const override;
  [[nodiscard]] std::vector<StackPart> stack(const ModelInput& input, const OptionValues& options,
                                             const Prediction& prediction) const override;
};

}  // namespace forewarp::model
