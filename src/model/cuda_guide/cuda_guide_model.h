// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// CUDA C Programming Guide (5.2.3), as read in Volkov 2016, 4.8:
//   needed warps = memory latency / (cycles per instruction * instructions per access)
// Options add the waiting warp itself and its access (refined), or the latency of arithmetic, which
// Volkov's correction adds (corrected). The guide gives needed warps only; the time is our reading
// of it: with fewer warps the SM computes for their share of the time, with more it computes all
// the time. Known limits: no bandwidth; arithmetic latency is ignored unless corrected, which gives
// about half of the warps needed.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class CudaGuideModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "cuda-guide"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "warps that the programming guide asks for to hide memory latency";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "CUDA C Programming Guide, section 5.2.3; as evaluated in Volkov 2016, section 4.8";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::occupancy, Mechanism::memory_latency, Mechanism::issue};
  }

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
};

}  // namespace forewarp::model
