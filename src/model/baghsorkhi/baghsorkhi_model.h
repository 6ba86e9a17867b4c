// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Baghsorkhi et al. 2010, "An adaptive performance modeling tool for GPU architectures" (PPoPP),
// equations 3 to 6 for code that alternates between accesses and computation:
//   arithmetic instruction   max(cycles at peak, latency / warps)                             (3)
//   bandwidth node           what the access needs of the memory beyond the computation       (4)
//   exposed latency          latency - (warps - 1) * computation between two accesses         (6)
//   warp latency             computation + max(bandwidth node, exposed latency)
// The time of all warps is the sum of these warp latencies, with no further factor of occupancy.
// Known limits: each further warp hides a piece of one warp's stall, so throughput hardly grows
// with occupancy where memory dominates (up to 8 times too slow); rates ignore that a warp in
// memory does not compute.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class BaghsorkhiModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "baghsorkhi"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "longest path through memory and compute nodes with exposed stalls";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "S. Baghsorkhi et al., PPoPP 2010; as evaluated in Volkov 2016, section 7.2";
  }
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
