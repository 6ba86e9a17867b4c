// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/kothapalli/kothapalli_model.h"

#include <algorithm>
#include <array>

namespace forewarp::model {
namespace {

enum Option : std::size_t { combine, depth };

constexpr std::array<ModelOption, 2> declared{{
    {"combine", "sum|max", "max", "computation and memory one after the other, or at once"},
    {"depth",
     "number",
     "0",
     "depth of the pipeline; 0: arithmetic latency over its rate",
     {.least = 1, .most = 1e6, .zero = true}},
}};

double depth_of(const WarpMix& mix, const OptionValues& options) {
  return options[depth] > 0 ? options[depth] : mix.instruction_latency / mix.instruction_cycles;
}

}  // namespace

std::span<const ModelOption> KothapalliModel::options() const {
  return declared;
}

MixTime KothapalliModel::time(const ModelInput& input, const WarpMix& mix,
                              const OptionValues& options) const {
  (void)input;
  const double both = options[combine] == 0 ? mix.compute_wait + mix.memory_wait
                                            : std::max(mix.compute_wait, mix.memory_wait);
  return mix_time(both / depth_of(mix, options));
}

std::vector<ModelNumber> KothapalliModel::figures(const ModelInput& input, const WarpMix& mix,
                                                  const OptionValues& options) const {
  (void)input;
  return {{"pipeline_depth", depth_of(mix, options)}};
}

}  // namespace forewarp::model
