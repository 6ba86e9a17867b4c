// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/async_event.h"

namespace forewarp::binding {

/// A part of what a warp executes: a run of consecutive instructions, or a loop with a body.
struct PathStep {
  static constexpr std::uint32_t no_loop = 0xffffffff;

  std::uint32_t first = 0;       ///< instruction index; runs only
  std::uint32_t last = 0;        ///< one past the end
  bool jumps = false;            ///< the run's last instruction is a branch that is taken
  std::uint32_t loop = no_loop;  ///< index into WarpPath::loops
  /// The last iteration leaves by not taking the branch at the body's end.
  bool leaves_at_end = false;
  std::vector<PathStep> body;  ///< one iteration

  [[nodiscard]] bool is_loop() const { return loop != no_loop; }
};

/// A loop on the path.
struct PathLoop {
  std::uint32_t begin = 0, end = 0;  ///< addresses of its first and past its last instruction
  double trips = 0;                  ///< iterations per entry in this launch
  std::string formula;               ///< trip count in arguments and launch dimensions: "a"
  int depth = 0;
  bool varies = false;  ///< differs between entries (triangular loops): `trips` is the mean
};

/// What the warps of one kind execute, from entry to exit.
struct WarpPath {
  std::vector<PathStep> steps;
  std::vector<PathLoop> loops;     ///< at most 64: one bit each in TripPolynomial
  double share = 1;                ///< of the block's warps
  std::vector<AsyncEvent> events;  ///< of these warps, in order; empty where none is known
};

}  // namespace forewarp::binding
