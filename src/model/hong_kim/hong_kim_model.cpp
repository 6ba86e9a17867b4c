// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/hong_kim/hong_kim_model.h"

#include <array>

#include "model/mix_equations.h"

namespace forewarp::model {
namespace {

enum Option : std::size_t { form, departure, departure_uncoal, cases };
enum Form : int { volkov, full };
enum Cases : int { limits, printed };

constexpr std::array<ModelOption, 4> declared{{
    {"form", "volkov|full", "volkov",
     "volkov: waits are those of the path, no barriers; full: every access waits a memory latency, "
     "scattered ones their transactions too, and barriers cost"},
    {"departure", "number", "0",
     "cycles between two transactions of an SM (full: between coalesced accesses); 0: no such "
     "limit",
     cycles_range},
    {"departure_uncoal", "number", "0",
     "full: cycles between two transactions of one access; 0: as measured on the GPU, else none",
     cycles_range},
    {"cases", "limits|printed", "limits",
     "printed: (23) also where computation exceeds memory time, which then drops the computation"},
}};

bool chosen(const OptionValues& options, Option option, int word) {
  return static_cast<int>(options[option]) == word;
}

void fill_full(const ModelInput& input, const WarpMix& mix, const OptionValues& options,
               MwpCwpInput& in) {
  in.uncoalesced = mix.uncoalesced;
  in.coalesced = mix.memory - mix.uncoalesced;
  in.memory_latency = mix.memory_latency;
  in.departure_coalesced = options[departure];
  in.departure_uncoalesced = options[departure_uncoal] > 0
                                 ? options[departure_uncoal]
                                 : input.gpu.number("volkov.divergence_cycles");
  if (mix.uncoalesced > 0) in.transactions = mix.uncoalesced_transactions / mix.uncoalesced;
  in.barriers = mix.barriers;
}

MwpCwpInput inputs(const ModelInput& input, const WarpMix& mix, const OptionValues& options) {
  MwpCwpInput in = mwp_cwp_input(mix, input.launch.blocks_per_sm);
  in.computation_rule = chosen(options, cases, printed);
  if (mix.memory <= 0) return in;
  if (chosen(options, form, full)) {
    fill_full(input, mix, options, in);
  } else {
    in.departure_coalesced = options[departure] * mix.transactions / mix.memory;
  }
  return in;
}

}  // namespace

std::span<const ModelOption> HongKimModel::options() const {
  return declared;
}

std::string_view HongKimModel::beyond_mix(const OptionValues& options) const {
  return chosen(options, form, full) ? "form=full" : "";
}

MixTime HongKimModel::time(const ModelInput& input, const WarpMix& mix,
                           const OptionValues& options) const {
  return mix_time(mwp_cwp(inputs(input, mix, options)).total / mix.warps);
}

std::vector<ModelNumber> HongKimModel::figures(const ModelInput& input, const WarpMix& mix,
                                               const OptionValues& options) const {
  const MwpCwpTime t = mwp_cwp(inputs(input, mix, options));
  return {{"mwp", t.mwp},
          {"cwp", t.cwp},
          {"mwp_peak_bw", t.mwp_by_bandwidth},
          {"departure_delay", t.departure_delay},
          {"barrier_cycles", t.barriers, true},
          {"round_cycles", t.round_cycles, true}};
}

}  // namespace forewarp::model
