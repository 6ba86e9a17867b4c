// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model.h"
#include "model/warp_mix.h"

namespace forewarp::model {

/// What a formula of the literature predicts for a mix.
struct MixTime {
  double cycles = 0;         ///< SM cycles per warp: 1 / warp throughput
  double needed_warps = 0;   ///< to reach the formula's highest throughput; 0: not given by it
  double low = 0, high = 0;  ///< SM cycles per warp, if the formula gives a range; else 0
  bool applies = true;
  std::string_view why;  ///< why it does not apply, or what it left out
};

[[nodiscard]] inline MixTime mix_time(double cycles, double needed_warps = 0) {
  MixTime time;
  time.cycles = cycles;
  time.needed_warps = needed_warps;
  return time;
}

/// A model that is a formula on a WarpMix: without waves or a tail, the grid's warps pass at one
/// steady rate. If a formula gives no time, or a negative one, the model says that it does not
/// apply.
class MixModel : public Model {
 public:
  [[nodiscard]] std::span<const ModelOption> options() const override { return {}; }
  /// Empty: the rules of the parameter set in use (ID@SET), else the generation's own.
  [[nodiscard]] std::string_view latency_rules() const override { return {}; }
  [[nodiscard]] std::vector<ResourceInfo> bounds(
      std::span<const ResourceInfo> resources) const override;
  [[nodiscard]] Prediction predict(const ModelInput& input,
                                   const OptionValues& options) const override;
  [[nodiscard]] std::vector<ModelNumber> numbers(const ModelInput& input,
                                                 const OptionValues& options,
                                                 const Prediction& prediction) const override;

  [[nodiscard]] std::vector<StackPart> stack(const ModelInput& input, const OptionValues& options,
                                             const Prediction& prediction) const override;

  /// The formula on numbers alone, for models that need nothing but the mix.
  [[nodiscard]] std::vector<std::pair<std::string, double>> formula(
      const WarpMix& mix, const OptionValues& options) const;
  /// The option value that needs more than a mix, namely a kernel and a GPU; empty: none does.
  [[nodiscard]] virtual std::string_view beyond_mix(const OptionValues& options) const;

 protected:
  [[nodiscard]] virtual MixTime time(const ModelInput& input, const WarpMix& mix,
                                     const OptionValues& options) const = 0;
  /// The formula's own figures, for the comparison of models.
  [[nodiscard]] virtual std::vector<ModelNumber> figures(const ModelInput& input,
                                                         const WarpMix& mix,
                                                         const OptionValues& options) const;
  /// Parts of the cycles for which a warp is resident (warps * time().cycles); empty: the formula
  /// does not divide them.
  [[nodiscard]] virtual std::vector<StackPart> parts(const WarpMix& mix,
                                                     const OptionValues& options,
                                                     const Prediction& prediction) const;
};

}  // namespace forewarp::model
