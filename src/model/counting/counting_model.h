// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// The counting model with an adjusting weight (model/counted_time.h): cycles of all threads one
// after the other, over clock, occupancy and a weight: the estimate over the measured time of one
// run of the same kernel. Inputs: multiply-adds, additions, multiplications and divisions of a warp
// (special functions stand for divisions; integer arithmetic counts alike), accesses to global
// memory, how many of the loads L1 and L2 serve, accesses to shared memory, occupancy as a ratio;
// cycles of each from data (model.counting.*, data/rules.toml). Known limits: the number of cores
// is not in the formula, so without a weight the time is far too long; coalescing, divergence and
// bank conflicts are left to the weight.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class CountingModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "counting"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "counted operations times cycles each, with an adjusting weight";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "report on an analytical model with cache hits; Gajger 2017, eq. 3.1, has its sibling";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::occupancy, Mechanism::caches};
  }

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
};

}  // namespace forewarp::model
