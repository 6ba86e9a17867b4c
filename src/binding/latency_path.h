// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "binding/bound_instruction.h"
#include "binding/path.h"
#include "binding/trip_polynomial.h"

namespace forewarp::binding {

/// How a loop's closed form counts its first iteration. `strict`: it is part of the straight path.
/// `repeated`: it is counted again, as in Gajger's eq. 5.1 (one iteration too many).
enum class LoopCounting : std::uint8_t { strict, repeated };

/// Why an instruction did not issue earlier.
enum class IssueCause : std::uint8_t { start, order, operand, barrier, scoreboard };

/// One scheduled issue of the lone warp; iterations of steady loops that are skipped have none.
struct IssueEvent {
  std::uint32_t instruction = 0;  ///< index
  double cycle = 0;
  IssueCause cause = IssueCause::start;
  std::int32_t after = -1;  ///< event that held it back
  std::uint16_t slot = 0;   ///< operand: the register
};

/// Time of a warp alone on the SM: no throughput limits, no other warps (in-order issue recurrence
/// of Volkov 2016, section 3.7).
struct LatencyPath {
  double cycles = 0;          ///< first issue to the end, including block replacement
  TripPolynomial formula;     ///< the same as a polynomial in the trip counts of the path's loops
  bool formula_valid = true;  ///< false: a loop's trip count varies or its iterations never repeat
  std::vector<double> valid_from;       ///< per loop: smallest trip count for which `formula` holds
  std::vector<IssueEvent> events;       ///< in issue order
  std::vector<std::uint32_t> critical;  ///< events on the longest path, first to last
};

/// Schedules one warp along its path. Loops are closed once an iteration only shifts the state; one
/// that never repeats is unrolled for at most `unroll_limit` instructions.
[[nodiscard]] LatencyPath latency_path(const BoundTiming& timing, const WarpPath& path,
                                       LoopCounting counting = LoopCounting::strict,
                                       std::uint64_t unroll_limit = 20'000'000);

/// Paths of a block whose warps meet at barriers: each warp waits for the last to arrive (all warps
/// are assumed to meet barriers in loops alike). Returns one path per warp kind.
[[nodiscard]] std::vector<LatencyPath> latency_paths(const BoundTiming& timing,
                                                     const std::vector<WarpPath>& paths,
                                                     LoopCounting counting = LoopCounting::strict);

}  // namespace forewarp::binding
