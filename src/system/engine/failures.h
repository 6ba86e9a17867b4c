// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/description/system.h"

namespace forewarp::system {

/// What earlier attempts at the same run left behind.
struct Attempt {
  std::uint32_t number = 0;  ///< of attempts before this one
  double began_s = 0;        ///< since the begin of the first one
};

/// A unit or a link that stops working, or works again.
struct FailureEvent {
  double at_s = 0;  ///< of this attempt
  bool is_link = false;
  std::size_t index = 0;  ///< of a unit or a connection
  bool fails = true;
};

/// All failures of an attempt, in the order of time: the outages of the system's file, and where it
/// has a seed a lifetime for everything that fails at a rate, distributed exponentially.
[[nodiscard]] std::vector<FailureEvent> failures_of(const System& system, const Attempt& attempt);

/// A lifetime of the rate `per_s`: the same for the same seed, attempt and part.
[[nodiscard]] double lifetime_s(std::uint64_t seed, std::uint32_t attempt, std::uint64_t part,
                                double per_s);

}  // namespace forewarp::system
