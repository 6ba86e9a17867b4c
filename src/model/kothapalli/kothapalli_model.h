// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Kothapalli et al. 2009, "A performance prediction model for the CUDA GPGPU platform" (HiPC):
// cycles of a thread are its computation plus its memory accesses, or the larger of them, divided
// by the depth of the pipeline and by the cores:
//   time of a warp on an SM = combine(computation, memory) / depth
// The depth is the pipeline's: arithmetic latency over the cycles of an instruction at peak, so
// that computation alone runs at peak. Known limits: occupancy has no effect; no bandwidth: an
// access costs its latency over the depth.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class KothapalliModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "kothapalli"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "cycles of computation and memory of a thread, summed or the larger, at full pipelines";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "K. Kothapalli et al., HiPC 2009; as read in Volkov 2016, section 4.12";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::arithmetic_latency, Mechanism::memory_latency, Mechanism::pipes};
  }

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
};

}  // namespace forewarp::model
