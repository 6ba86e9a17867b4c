// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/cuda_guide/cuda_guide_model.h"

#include <algorithm>
#include <array>

namespace forewarp::model {
namespace {

enum Option : std::size_t { form };
enum Form : int { original, refined, corrected };

constexpr std::array<ModelOption, 1> declared{{
    {"form", "original|refined|corrected", "original",
     "refined: the access and the waiting warp count; corrected: arithmetic latency added"},
}};

double needed_warps(const WarpMix& mix, const OptionValues& options) {
  const int chosen = static_cast<int>(options[form]);
  const double instructions = chosen == refined ? mix.instructions() : mix.compute;
  double needed = mix.memory_wait / (mix.instruction_cycles * instructions);
  if (chosen == refined) needed += 1;
  if (chosen == corrected) needed += mix.instruction_latency / mix.instruction_cycles;
  return needed;
}

}  // namespace

std::span<const ModelOption> CudaGuideModel::options() const {
  return declared;
}

MixTime CudaGuideModel::time(const ModelInput& input, const WarpMix& mix,
                             const OptionValues& options) const {
  (void)input;
  const double needed = needed_warps(mix, options);
  const double busy = mix.instructions() * mix.instruction_cycles;
  return mix_time(busy * std::max(1.0, needed / mix.warps), needed);
}

std::vector<ModelNumber> CudaGuideModel::figures(const ModelInput& input, const WarpMix& mix,
                                                 const OptionValues& options) const {
  (void)input;
  return {{"needed_warps", needed_warps(mix, options)}};
}

}  // namespace forewarp::model
