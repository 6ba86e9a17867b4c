// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Volkov 2016, "Understanding Latency Hiding on GPUs", as published: chapters 4 and 6 without
// waves, tails, caches or launch cost (the model `volkov` has those).
//   basic:    warp throughput = min( warps / latency , 1 / tightest resource )            (4.1)
//   refined:  the same with an access latency of a + b T/(c - T) at T GB/s, solved together
//             with the throughput that causes T                                          (6.5)
// With three coefficients the solution is the smaller root of a quadratic; with more it is bisected
// (x * latency(x) - warps grows with x). The four-term fit of the G80 has its pole below the peak,
// so the peak is never reached there. Options: extra issue cycles of an access, a special function
// and a shared-memory access (Volkov finds 8, 2 and 3 on Maxwell and asks for their justification).
// Known limits: saturation is sharper than measured, for the refined model at medium intensities;
// no contention for special functions and shared memory.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class VolkovBasicModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "volkov-basic"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "two modes: bound by latency or by the tightest resource";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "V. Volkov, PhD thesis, UC Berkeley, UCB/EECS-2016-143, chapter 4";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;

  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::occupancy,      Mechanism::arithmetic_latency,
            Mechanism::memory_latency, Mechanism::issue,
            Mechanism::pipes,          Mechanism::bandwidth};
  }

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
  [[nodiscard]] std::vector<StackPart> parts(const WarpMix& mix, const OptionValues& options,
                                             const Prediction& prediction) const override;
};

class VolkovRefinedModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "volkov-refined"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "two modes, with memory latency that grows with the load on memory";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "V. Volkov, PhD thesis, UC Berkeley, UCB/EECS-2016-143, sections 6.4 and 6.5";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;

  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::occupancy,      Mechanism::arithmetic_latency,
            Mechanism::memory_latency, Mechanism::issue,
            Mechanism::pipes,          Mechanism::bandwidth,
            Mechanism::contention};
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
