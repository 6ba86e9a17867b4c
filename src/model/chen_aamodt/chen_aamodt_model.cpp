// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/chen_aamodt/chen_aamodt_model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace forewarp::model {
namespace {

enum Option : std::size_t { variant };
enum Variant : int { one_thread, linear, saturating };

constexpr std::array<ModelOption, 1> declared{{
    {"variant", "1|2|3", "3", "one thread's rate, n times it, or with saturation"},
}};

double ipc_of(const WarpMix& mix, const OptionValues& options) {
  const double units = std::max(1.0, mix.issue_units);
  const double rate = std::min(1.0, mix.instructions() / mix.latency());
  const double warps = mix.warps / units;
  switch (static_cast<int>(options[variant])) {
    case one_thread:
      return units * rate;
    case linear:
      return units * warps * rate;
    default:
      return units * (1 - std::pow(1 - rate, warps));
  }
}

}  // namespace

std::span<const ModelOption> ChenAamodtModel::options() const {
  return declared;
}

MixTime ChenAamodtModel::time(const ModelInput& input, const WarpMix& mix,
                              const OptionValues& options) const {
  (void)input;
  return mix_time(mix.instructions() / ipc_of(mix, options));
}

std::vector<ModelNumber> ChenAamodtModel::figures(const ModelInput& input, const WarpMix& mix,
                                                  const OptionValues& options) const {
  (void)input;
  return {{"ipc", ipc_of(mix, options)}};
}

}  // namespace forewarp::model
