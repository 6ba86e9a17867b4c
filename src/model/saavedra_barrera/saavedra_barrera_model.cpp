// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/saavedra_barrera/saavedra_barrera_model.h"

#include <algorithm>
#include <array>

#include "model/run_length.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { run, switching };

constexpr std::array<ModelOption, 2> declared{{
    run_length_option,
    {"switch", "number", "0", "cycles of a context switch", cycles_range},
}};

double needed_warps(const WarpMix& mix, const OptionValues& options) {
  const double busy = run_length(mix, options[run]);
  return mix.access_latency / (busy + options[switching]) + 1;
}

}  // namespace

std::span<const ModelOption> SaavedraBarreraModel::options() const {
  return declared;
}

MixTime SaavedraBarreraModel::time(const ModelInput& input, const WarpMix& mix,
                                   const OptionValues& options) const {
  (void)input;
  const double busy = run_length(mix, options[run]);
  const double accesses = std::max(1.0, mix.memory);
  return mix_time(accesses * std::max((busy + mix.access_latency + options[switching]) / mix.warps,
                                      busy + options[switching]),
                  needed_warps(mix, options));
}

std::vector<ModelNumber> SaavedraBarreraModel::figures(const ModelInput& input, const WarpMix& mix,
                                                       const OptionValues& options) const {
  (void)input;
  return {{"run_cycles", run_length(mix, options[run])},
          {"needed_warps", needed_warps(mix, options)}};
}

}  // namespace forewarp::model
