// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/hong_kim/hong_kim_model.h"

#include <algorithm>
#include <array>

namespace forewarp {
namespace {

enum Option : std::size_t { departure, cases };
enum Cases : int { limits, printed };

constexpr std::array<ModelOption, 2> declared{{
    {"departure", "number", "0", "cycles between two transactions of an SM; 0: no such limit"},
    {"cases", "limits|printed", "limits",
     "printed: (23) also where computation exceeds memory time, which then drops the computation"},
}};

struct Parallelism {
  double mwp = 0, cwp = 0, peak = 0;  ///< peak: MWP that bandwidth allows
  double computation = 0;             ///< cycles of one warp's instructions
};

/// Equations 5 to 19; a fully coalesced access is one transaction.
Parallelism parallelism(const WarpMix& mix, const OptionValues& options) {
  Parallelism p;
  p.computation = mix.instruction_cycles * mix.instructions();
  p.mwp = p.cwp = mix.warps;
  if (mix.memory <= 0) return p;
  p.peak = mix.memory_wait / mix.pin_cycles;
  p.mwp = std::min(mix.warps, p.peak);
  if (options[departure] > 0) {
    const double delay = options[departure] * mix.transactions / mix.memory;
    p.mwp = std::min(p.mwp, mix.access_latency / delay);
  }
  p.cwp = std::min(mix.warps, (mix.memory_wait + p.computation) / p.computation);
  return p;
}

/// Cycles until all resident warps are through.
double round_cycles(const WarpMix& mix, const Parallelism& p, const OptionValues& options) {
  if (mix.memory <= 0) return p.computation * mix.warps;
  const double between = p.computation / mix.memory * (p.mwp - 1);
  if (p.mwp == mix.warps && p.cwp == mix.warps) return mix.memory_wait + p.computation + between;
  const bool as_printed = static_cast<int>(options[cases]) == printed;
  if (p.cwp >= p.mwp || (as_printed && p.computation > mix.memory_wait)) {
    return mix.memory_wait * mix.warps / p.mwp + between;
  }
  return mix.access_latency + p.computation * mix.warps;
}

}  // namespace

std::span<const ModelOption> HongKimModel::options() const {
  return declared;
}

MixTime HongKimModel::time(const ModelInput& input, const WarpMix& mix,
                           const OptionValues& options) const {
  (void)input;
  return mix_time(round_cycles(mix, parallelism(mix, options), options) / mix.warps);
}

std::vector<ModelNumber> HongKimModel::figures(const ModelInput& input, const WarpMix& mix,
                                               const OptionValues& options) const {
  (void)input;
  const Parallelism p = parallelism(mix, options);
  return {{"mwp", p.mwp},
          {"cwp", p.cwp},
          {"mwp_peak_bw", p.peak},
          {"round_cycles", round_cycles(mix, p, options), true}};
}

}  // namespace forewarp
