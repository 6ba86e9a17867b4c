// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/zhang_owens/zhang_owens_model.h"

#include <algorithm>
#include <array>

namespace forewarp::model {
namespace {

enum Option : std::size_t { merge };

constexpr std::array<ModelOption, 1> declared{{
    {"merge", "max|sum", "max", "perfect overlap of arithmetic and memory, or none"},
}};

double compute_cycles(const WarpMix& mix) {
  return mix.compute * std::max(mix.instruction_latency / mix.warps, mix.instruction_cycles);
}

double memory_cycles(const WarpMix& mix) {
  return std::max(mix.memory_wait / mix.warps, mix.sustained_cycles);
}

}  // namespace

std::span<const ModelOption> ZhangOwensModel::options() const {
  return declared;
}

MixTime ZhangOwensModel::time(const ModelInput& input, const WarpMix& mix,
                              const OptionValues& options) const {
  (void)input;
  const double compute = compute_cycles(mix), memory = memory_cycles(mix);
  return mix_time(options[merge] == 0 ? std::max(compute, memory) : compute + memory);
}

std::vector<ModelNumber> ZhangOwensModel::figures(const ModelInput& input, const WarpMix& mix,
                                                  const OptionValues& options) const {
  (void)input;
  (void)options;
  return {{"arithmetic_time", compute_cycles(mix), true},
          {"memory_time", memory_cycles(mix), true}};
}

}  // namespace forewarp::model
