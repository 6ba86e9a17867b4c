// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Chen and Aamodt 2009, "A first-order fine-grained multithreaded throughput model" (HPCA), with
// the issue rate r of one thread on a unit that issues one instruction per cycle:
//   variant 1: r;  variant 2: n r;  variant 3: 1 - (1 - r)^n
// The fourth variant of the source has no closed form and is not here.
// Known limits: made for processors like Niagara: no memory bandwidth, no units but issue; variant
// 2 has no limit at all.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class ChenAamodtModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "chen-aamodt"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "throughput of n threads from the rate of one, with saturation";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "X. Chen and T. Aamodt, HPCA 2009; as read in Volkov 2016, section 4.13";
  }
  [[nodiscard]] std::span<const ModelOption> options() const override;
  [[nodiscard]] Mechanisms accounts_for() const override {
    return {Mechanism::occupancy, Mechanism::arithmetic_latency, Mechanism::memory_latency,
            Mechanism::issue};
  }

 protected:
  [[nodiscard]] MixTime time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const override;
};

}  // namespace forewarp::model
