// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mowry/mowry_model.h"

#include <algorithm>
#include <array>

#include "model/run_length.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { run };

constexpr std::array<ModelOption, 1> declared{{
    run_length_option,
}};

double needed_warps(const WarpMix& mix, const OptionValues& options) {
  const double busy = run_length(mix, options[run]);
  return mix.access_latency / busy;
}

}  // namespace

std::span<const ModelOption> MowryModel::options() const {
  return declared;
}

MixTime MowryModel::time(const ModelInput& input, const WarpMix& mix,
                         const OptionValues& options) const {
  (void)input;
  const double busy = run_length(mix, options[run]);
  const double accesses = std::max(1.0, mix.memory);
  return mix_time(accesses * std::max(mix.access_latency / mix.warps, busy),
                  needed_warps(mix, options));
}

std::vector<ModelNumber> MowryModel::figures(const ModelInput& input, const WarpMix& mix,
                                             const OptionValues& options) const {
  (void)input;
  return {{"run_cycles", run_length(mix, options[run])},
          {"needed_warps", needed_warps(mix, options)}};
}

}  // namespace forewarp::model
