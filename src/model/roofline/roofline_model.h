// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Hierarchical roofline (Williams, Waterman and Patterson 2009; one roof per memory level as in
// Yang, Kurth and Williams 2020): the time under the tightest roof alone.
//   memory   device memory at the bandwidth reached, L2, L1, shared memory: bytes over rate
//   compute  FP16, FP32, FP64, integer, matrix and special functions: instructions of the kind
//   times
//            cycles that one takes, so code without multiply-adds has the lower roof by itself
//   issue    the schedulers
//   unit     the busiest unit, where several kinds share one (integer arithmetic on CUDA cores)
// Inputs: operations and bytes of a warp, rates of units and levels. Figures: operations per byte
// at each level, ridge points at the multiply-add peak of the kind that takes longest, attainable
// rate, and the rate at this occupancy (warps over latency, at most the attainable). Known limits:
// latency and occupancy do not affect the time; inactive lanes occupy units but do not count as
// operations.
#pragma once

#include "model/model.h"

namespace forewarp::model {

class RooflineModel : public Model {
 public:
  [[nodiscard]] std::string_view name() const override { return "roofline"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the tightest of the roofs of memory levels, units and issue";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "S. Williams, A. Waterman and D. Patterson, CACM 2009; C. Yang et al. 2020";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::issue, Mechanism::bandwidth};
  }
  [[nodiscard]] std::string_view latency_rules() const override { return {}; }
  [[nodiscard]] std::vector<ResourceInfo> bounds(
      std::span<const ResourceInfo> resources) const override;
  [[nodiscard]] Prediction predict(const ModelInput& input,
                                   const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> numbers(const ModelInput& input,
                                                 const OptionValues& options,
                                                 const Prediction& prediction) const override;
};

}  // namespace forewarp::model
