// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Mowry, Lam and Gupta 1992, "Design and evaluation of a compiler algorithm for prefetching"
// (ASPLOS):
//   prefetch distance = latency / cycles of the shortest path through an iteration
// Each warp in flight is taken as one iteration in flight: with fewer warps than that distance, the
// latency is shared among them. Known limits: the SM's rate is one cycle per instruction; no
// arithmetic latency, no bandwidth.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class MowryModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "mowry"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "prefetch distance: latency over the cycles of an iteration";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "T. Mowry, M. Lam, A. Gupta, ASPLOS 1992; as read in Volkov 2016, section 4.9";
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
