// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Saavedra-Barrera, Culler and von Eicken 1990, "Analysis of multithreaded architectures for
// parallel computing" (SPAA), equation 4, with run length R, latency L and switch cost C:
//   needed threads = L / (R + C) + 1
//   with fewer: n threads in R + L + C; with more: one in R + C
// Known limits: made for processors that switch on memory stalls only: arithmetic latency is
// ignored (or, as option `run`, taken as busy time); no bandwidth.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class SaavedraBarreraModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "saavedra-barrera"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "coarse-grained multithreading: a switch at every access";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "R. Saavedra-Barrera, D. Culler, T. von Eicken, SPAA 1990; as read in Volkov 2016, "
           "section 4.9";
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
