// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/l2_parts.h"

#include <algorithm>

namespace forewarp::binding {

double far_share(double unique_bytes, const Gpu& gpu) {
  const double from = gpu.l2.far_from, to = gpu.l2.far_to;
  if (gpu.l2.bytes <= 0 || to <= from) return 0;
  return std::clamp((unique_bytes / gpu.l2.bytes - from) / (to - from), 0.0, 1.0);
}

}  // namespace forewarp::binding
