// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/gpu.h"

namespace forewarp::hardware {

/// Parts of lines that device memory has under way at one time, on all channels: what is asked of
/// one line while so many others are is one visit; 0: unknown. Fact "memory.places_under_way".
[[nodiscard]] inline double places_under_way(const Gpu& gpu) {
  return gpu.number("memory.places_under_way");
}

/// A part of a line that is written, in parts that are read; 1 where nobody says. Fact
/// "memory.write_place_share".
[[nodiscard]] inline double written_place(const Gpu& gpu) {
  const double share = gpu.number("memory.write_place_share");
  return share > 0 ? share : 1;
}

}  // namespace forewarp::hardware
