// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/gpumech/gpumech_stack.h"

#include <algorithm>

namespace forewarp::model {

std::vector<StackPart> gpumech_stack(const WarpMix& mix, double warps, double unhidden,
                                     double delay) {
  std::vector<StackPart> parts;
  if (delay < 0) return parts;
  const auto add = [&](const char* name, double cycles) {
    if (cycles > 0) parts.push_back({name, cycles});
  };
  const double arithmetic = std::min(mix.compute, mix.compute_wait);
  const double accesses = std::min(mix.memory, mix.memory_wait);
  add("issue", arithmetic + accesses);
  add("dependence", mix.compute_wait - arithmetic);
  add("memory", mix.memory_wait - accesses);
  add("unhidden", unhidden);
  add("memory_queue", warps * mix.memory * delay);
  return parts;
}

}  // namespace forewarp::model
