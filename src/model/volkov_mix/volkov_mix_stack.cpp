// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/volkov_mix/volkov_mix_stack.h"

#include <algorithm>
#include <string>
#include <utility>

namespace forewarp::model {
namespace {

constexpr double rounding = 1e-9;  // of the residence

}  // namespace

std::vector<StackPart> volkov_mix_stack(const WarpMix& mix, const Contention* fit, double rate,
                                        std::string_view unit) {
  const double residence = mix.warps / rate;
  double left = residence;
  std::vector<StackPart> parts;
  const auto take = [&](std::string name, double cycles) {
    cycles = std::clamp(cycles, 0.0, left);
    if (cycles > rounding * residence) parts.push_back({std::move(name), cycles});
    left -= cycles;
  };
  const double alone = fit != nullptr ? mix.rounds * fit->unloaded : mix.memory_wait;
  take("dependence", mix.compute_wait);
  take("memory", alone);
  if (fit != nullptr) {
    take("memory_queue", mix.rounds * fit->latency(rate * mix.gbs_per_rate) - alone);
  }
  take("bandwidth_" + std::string(unit), left);
  return parts;
}

}  // namespace forewarp::model
