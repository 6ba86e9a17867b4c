// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/carve_out.h"

#include <algorithm>
#include <cmath>

namespace forewarp::memory {

double l1_beside(const Gpu& gpu, std::uint32_t blocks, std::uint32_t shared, double percent) {
  if (!gpu.l1.unified) return gpu.l1.bytes;
  const std::vector<std::uint32_t>& choices = gpu.limits.carveouts;
  double need = static_cast<double>(blocks) * shared;
  if (percent >= 0) {
    need =
        std::max(std::floor(percent / 100 * gpu.limits.shared_per_sm), static_cast<double>(shared));
  }
  const auto enough = std::find_if(choices.begin(), choices.end(),
                                   [&](std::uint32_t choice) { return choice >= need; });
  const double taken = enough == choices.end() ? gpu.limits.shared_per_sm : *enough;
  return std::max(0.0, gpu.l1.bytes - taken);
}

}  // namespace forewarp::memory
