// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "program_run/code_modules.h"

namespace forewarp::program_run {

/// A launch as the program asked for it.
struct LaunchOrder {
  Function* function = nullptr;
  Extent grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamic_shared = 0;
  std::vector<std::uint8_t> parameters;  ///< the whole area
  bool cooperative = false;
};

}  // namespace forewarp::program_run
