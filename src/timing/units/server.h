// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "timing/ticks.h"

namespace forewarp {

/// A path that serves one after the other, each for its time.
struct Server {
  Ticks free = 0;

  /// Takes it from `at` on, or when it is free; returns when it began.
  Ticks take(Ticks at, Ticks time) {
    const Ticks begin = std::max(at, free);
    free = begin + time;
    return begin;
  }
};

}  // namespace forewarp
