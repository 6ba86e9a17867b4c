// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// The bulk-synchronous model of Amaris et al. as Gajger 2017 quotes it (eq. 3.1,
// model/counted_time.h): cycles of all threads over clock, cores and a scaling lambda. Inputs:
// instructions of a warp, accesses to global memory by the level that serves them, accesses to
// shared memory, number of CUDA cores. The source prints no cycles: memory has those of the
// counting model, an instruction takes one cycle of a core (facts model.bsp.*, data/rules.toml);
// lambda absorbs the rest. Known limits: occupancy, coalescing and latency hiding are all in
// lambda, which holds for one kernel.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class BspModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "bsp"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "computation and communication of all threads over the cores (BSP)";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "M. Amaris et al., as in Gajger 2017, eq. 3.1";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override { return {Mechanism::caches}; }

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
};

}  // namespace forewarp::model
