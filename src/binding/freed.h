// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "binding/bound_instruction.h"
#include "program/kernel.h"

namespace forewarp::binding {

/// Where loads are served in a what-if; never farther away than they are.
enum class LoadsFrom : std::uint8_t { where_they_are, l2, l1, at_once };

/// What a what-if removes from the latency of a bound kernel.
struct Freed {
  std::uint64_t resources = 0;  ///< bit set of resource indices that nothing waits for
  LoadsFrom loads = LoadsFrom::where_they_are;  ///< global and local memory
  bool shared = false;                          ///< shared memory answers at once
  bool arithmetic = false;  ///< results are ready at once, and nothing spaces out the next issue
  bool barriers = false;    ///< warps do not wait for each other
  bool launch = false;      ///< a block's warps start together

  [[nodiscard]] bool frees(std::size_t resource) const { return (resources >> resource & 1U) != 0; }
  [[nodiscard]] bool nothing() const;
};

/// Latencies of loads by place, in cycles, as limits for a what-if.
struct LoadCaps {
  double l1 = 0, l2 = 0;
  /// The latency under the what-if.
  [[nodiscard]] double capped(double latency, LoadsFrom from) const;
};

/// Removes from `timing` what is freed.
void apply_freed(const Kernel& kernel, const Freed& freed, const LoadCaps& caps,
                 double issue_interval, BoundTiming& timing);

}  // namespace forewarp::binding
