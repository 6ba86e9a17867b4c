// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace forewarp::hardware {

/// One overridden number; "x2" multiplies the existing one. `--set hw.memory.latency_cycles=500` is
/// {"memory.latency_cycles", "500"}.
struct FactOverride {
  std::string path;
  std::string value;
};

}  // namespace forewarp::hardware
