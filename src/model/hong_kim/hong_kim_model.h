// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Hong and Kim 2009, "An analytical model for a GPU architecture with memory-level and thread-level
// parallelism awareness" (ISCA), equations 5 to 26:
//   MWP  warps that can wait for memory at the same time: by bandwidth, departure delay, occupancy
//   CWP  warps that can compute while one waits, plus one
//   MWP = N = CWP        memory + computation + computation/accesses * (MWP - 1)        (22)
//   CWP >= MWP           memory * N/MWP + computation/accesses * (MWP - 1)              (23)
//                        (public re-implementations take it for computation > memory as well)
//   MWP > CWP            one memory period + computation * N                            (24)
// Inputs: instructions and accesses of a warp, latency of an access, bandwidth on paper.
// Known limits: latency of arithmetic is ignored (each instruction takes its issue cycles only);
// warps are switched at memory accesses alone; bandwidth on paper is never reached; the evaluation
// in Volkov 2016, 7.1, leaves the departure delay out, which is the default here.
#pragma once

#include "model/mix_model.h"

namespace forewarp {

class HongKimModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "hong-kim"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "memory and computation warp parallelism (MWP-CWP)";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "S. Hong and H. Kim, ISCA 2009; as evaluated in Volkov 2016, section 7.1";
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

}  // namespace forewarp
