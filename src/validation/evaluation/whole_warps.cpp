// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/evaluation/whole_warps.h"

#include <algorithm>

namespace forewarp::validation {

std::vector<double> whole_warps(const Gpu& gpu) {
  std::vector<double> warps;
  const double step = std::max(1.0, gpu.schedulers);
  for (double n = step; n <= gpu.limits.warps_per_sm; n += step) warps.push_back(n);
  return warps;
}

}  // namespace forewarp::validation
