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

/// What a formula of the literature says of a mix.
struct MixTime {
  double cycles = 0;         ///< of an SM per warp: 1 / warp throughput
  double needed_warps = 0;   ///< to reach the formula's best throughput; 0: it does not say
  double low = 0, high = 0;  ///< cycles, where the formula gives a range; 0: it does not
  bool applies = true;
  std::string_view why;  ///< why not, or what it left out
};

[[nodiscard]] inline MixTime mix_time(double cycles, double needed_warps = 0) {
  MixTime time;
  time.cycles = cycles;
  time.needed_warps = needed_warps;
  return time;
}

/// A model that is a formula on a WarpMix: it has neither waves nor a tail; the grid's warps pass
/// at one steady rate. A formula that gives a negative or no time does not apply, and says so.
class MixModel : public Model {
 public:
  [[nodiscard]] std::span<const ModelOption> options() const override { return {}; }
  /// Those of the parameter set in use (ID@SET), else the generation's own.
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

  /// The formula on numbers alone, for a model that asks for nothing but the mix.
  [[nodiscard]] std::vector<std::pair<std::string, double>> formula(
      const WarpMix& mix, const OptionValues& options) const;
  /// The choice among `options` whose terms a mix alone does not hold: they need a kernel and a
  /// GPU.
  [[nodiscard]] virtual std::string_view beyond_mix(const OptionValues& options) const;

 protected:
  [[nodiscard]] virtual MixTime time(const ModelInput& input, const WarpMix& mix,
                                     const OptionValues& options) const = 0;
  /// The formula's own figures, for the comparison of models.
  [[nodiscard]] virtual std::vector<ModelNumber> figures(const ModelInput& input,
                                                         const WarpMix& mix,
                                                         const OptionValues& options) const;
  /// Parts of a warp's residence, warps * cycles of time(); empty: the formula has none.
  [[nodiscard]] virtual std::vector<StackPart> parts(const WarpMix& mix,
                                                     const OptionValues& options,
                                                     const Prediction& prediction) const;
};

}  // namespace forewarp::model
