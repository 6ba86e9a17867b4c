// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Zhang and Owens 2011, "A quantitative performance analysis model for GPU architectures" (HPCA):
//   arithmetic time = instructions * max(latency / warps, cycles at peak)
//   memory time     = accesses * max(latency / warps, cycles at the bandwidth)
//   time            = the larger (perfect overlap), or their sum as an option
// The rates are those of pure arithmetic or pure memory code at the same occupancy; the original
// measures them by microbenchmarks, here they follow from latency and peak (Volkov 2016, 4.10 to
// 4.12). Known limits: a warp that waits for memory does not compute, so at few warps the larger of
// the two is up to 2 times too fast and the sum is right; at many warps the sum is too slow.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class ZhangOwensModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "zhang-owens"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "time of arithmetic and time of memory, each as if alone, then merged";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "Y. Zhang and J. Owens, HPCA 2011; as evaluated in Volkov 2016, sections 4.11 and 7.3";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::occupancy, Mechanism::arithmetic_latency, Mechanism::memory_latency,
            Mechanism::issue, Mechanism::bandwidth};
  }

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
};

}  // namespace forewarp::model
