// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// MWP-CWP with distributed latencies. This is our own construction: Sanchez Gil 2017, section 7.3,
// asks for it and gives no equations.
//   latency Y of one access, over its mean: L1, L2 and device memory with the shares of the loads
//     that they serve; device memory spreads as measured (model.mwp-cwp-probabilistic.* of the
//     generation, between a row at little and a row at much traffic, linear in the load) or, where
//     nobody measured it, evenly within +-spread
//   mean X of the A accesses that a warp slot makes one after another (accesses of a warp times
//     rounds): every combination of values up to 4 accesses, the normal distribution beyond
//   time T = f(access latency * X), f the equations of Hong and Kim or of Sim et al.
//   result: mean of T; range: its 5 % and 95 % quantiles
// Without spread and hits, f is evaluated once and equals the plain model. No random numbers. Known
// limits: accesses are independent; all slots of an SM share one draw; the limits of f.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class ProbabilisticModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "mwp-cwp-probabilistic"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "MWP-CWP with distributed latencies: mean and quantiles of the time";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "our own construction, after Sanchez Gil 2017, section 7.3";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::occupancy, Mechanism::memory_latency, Mechanism::issue,
            Mechanism::bandwidth};
  }

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
};

}  // namespace forewarp::model
