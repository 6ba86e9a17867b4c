// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Agarwal 1989, "Performance tradeoffs in multithreaded processors", with run length R, latency L
// and switch cost C: (n - 1) R + n C >= L hides the latency, so
//   needed threads = (R + L) / (R + C)
//   with fewer: n threads in R + L; with more: one in R + C
// Known limits: as saavedra-barrera; without a switch cost both are the same.
#pragma once

#include "model/mix_model.h"

namespace forewarp::model {

class AgarwalModel : public MixModel {
 public:
  [[nodiscard]] std::string_view name() const override { return "agarwal"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "multithreaded processor: run length against latency and switch cost";
  }
  [[nodiscard]] std::string_view reference() const override {
    return "A. Agarwal, 1989 (Performance tradeoffs in multithreaded processors); as read in "
           "Volkov 2016, section 4.9";
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
