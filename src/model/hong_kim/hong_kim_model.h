// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Hong and Kim 2009, memory and computation warp parallelism; equations in model/mwp_cwp.h. Inputs:
// instructions and accesses of a warp, how they coalesce, barriers, latency of an access,
// theoretical bandwidth, departure delays. Known limits: latency of arithmetic is ignored (each
// instruction takes its issue cycles only); warps are switched at memory accesses only; the
// theoretical bandwidth is never reached in practice; it knows no caches. The evaluation in Volkov
// 2016, 7.1, leaves out departure delays and barriers and takes latencies as they are on the path,
// which is the default here.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

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

  [[nodiscard]] std::string_view beyond_mix(const OptionValues& options) const override;

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
};

}  // namespace forewarp::model
