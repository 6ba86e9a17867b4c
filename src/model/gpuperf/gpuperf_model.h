// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Sim, Dasgupta, Kim and Vuduc 2012 (GPUPerf); equations in model/gpu_perf.h. As Volkov 2016, 7.4,
// uses it (default): no departure delay, the bandwidth reached in practice, no serial terms, ILP
// and MLP of 1, latencies as on the path. In full: ILP and MLP from the path (instructions times
// their latency over the path's time), theoretical bandwidth, departure delay and barrier factor
// from data, serialisation at special functions and banks. Latencies of caches are totals here, so
// they are mixed by where accesses are served, not added up (p_L1 L1 + p_L2 L2 + p_DRAM DRAM).
// Known limits: rates of arithmetic and memory are computed apart and then merged; CWP - 1 halves
// the throughput of two warps; a barrier's cost is a share of memory latency (their F_sync), so
// without accesses it is 0; divergent control flow is not counted: O_CFdiv is 0.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class GpuPerfModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "gpuperf"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "computation and memory time less their overlap (GPUPerf)";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "J. Sim et al., PPoPP 2012; as evaluated in Volkov 2016, section 7.4";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::occupancy, Mechanism::arithmetic_latency, Mechanism::memory_latency,
            Mechanism::issue, Mechanism::bandwidth};
  }

  [[nodiscard]] std::string_view beyond_mix(const OptionValues& options) const override;

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
};

}  // namespace forewarp::model
