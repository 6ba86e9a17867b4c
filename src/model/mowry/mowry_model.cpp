// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mowry/mowry_model.h"

#include <algorithm>
#include <array>

namespace forewarp {
namespace {

enum Option : std::size_t { run };

constexpr std::array<ModelOption, 1> declared{{
    {"run", "throughput|latency", "throughput",
     "cycles between accesses: at the SM's rate, or as one warp's dependent code takes"},
}};

/// Cycles that a warp runs between two accesses.
double run_cycles(const WarpMix& mix, const OptionValues& options) {
  const double each =
      options[run] == 0 ? mix.instructions() * mix.instruction_cycles : mix.compute_wait;
  return mix.memory > 0 ? each / mix.memory : each;
}

double needed_warps(const WarpMix& mix, const OptionValues& options) {
  const double busy = run_cycles(mix, options);
  return mix.access_latency / busy;
}

}  // namespace

std::span<const ModelOption> MowryModel::options() const {
  return declared;
}

MixTime MowryModel::time(const ModelInput& input, const WarpMix& mix,
                         const OptionValues& options) const {
  (void)input;
  const double busy = run_cycles(mix, options);
  const double accesses = std::max(1.0, mix.memory);
  return mix_time(accesses * std::max(mix.access_latency / mix.warps, busy),
                  needed_warps(mix, options));
}

std::vector<ModelNumber> MowryModel::figures(const ModelInput& input, const WarpMix& mix,
                                             const OptionValues& options) const {
  (void)input;
  return {{"run_cycles", run_cycles(mix, options)}, {"needed_warps", needed_warps(mix, options)}};
}

}  // namespace forewarp
