// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Huang et al. 2014, "GPUMech: GPU performance modeling technique based on interval analysis"
// (MICRO), with equations 7, 15, 16, 21, 22 as their primary author corrected them for Volkov
// 2016, 7.5:
//   p    = instructions / latency of the warp alone: probability of an issue in a cycle        (9)
//   IPC  = warps * instructions / (latency + instructions that no stall hides)                 (7)
//   round robin: every interval of dependent code has one instruction, nothing is unhidden     (10)
//   greedy then oldest: others issue min(p * stall, 1) each during a stall; what exceeds it
//   is not hidden                                                                              (16)
//   bandwidth delay (option) = min( lambda s^2 / (2 (1 - rho)), s * requests / 2 )             (21)
// Issue is one per cycle and unit: a scheduler, or the SM where its schedulers together issue one.
// Known limits, kept on purpose: no throughput limit on compute; without the option none on memory;
// with it utilisation rho exceeds 1 because latency does not grow with load, and delays, even whole
// times, turn negative. Such a time never counts as a prediction. The delay by full miss registers
// is left out, as only its condition is known to us.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class GpuMechModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "gpumech"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "interval analysis of one warp, then interleaving by round robin or greedy then oldest";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "J. Huang et al., MICRO 2014 (GPUMech); as evaluated and corrected in Volkov 2016, "
           "sections 7.5 to 7.8";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::occupancy, Mechanism::arithmetic_latency, Mechanism::memory_latency,
            Mechanism::issue};
  }

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
  [[nodiscard]] std::vector<StackPart> parts(const WarpMix& mix, const OptionValues& options,
                                             const Prediction& prediction) const override;
};

}  // namespace forewarp::model
