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

/// How the closed form of a loop counts its first pass. `strict`: the straight path already holds
/// it. `repeated`: it is counted once more, as Gajger's eq. 5.1 does (one iteration too many).
enum class LoopCounting : std::uint8_t { strict, repeated };

/// Why an instruction issued when it did.
enum class IssueCause : std::uint8_t { start, order, operand, barrier, scoreboard };

/// One issue of the lone warp that was really scheduled (steady loops are skipped, not repeated).
struct IssueEvent {
  std::uint32_t instruction = 0;  ///< index
  double cycle = 0;
  IssueCause cause = IssueCause::start;
  std::int32_t after = -1;  ///< event that held it
  std::uint16_t slot = 0;   ///< operand: which register
};

/// Time of a warp alone on the machine: no throughput limits, no interference
/// (in-order issue recurrence of Volkov 2016, section 3.7).
struct LatencyPath {
  double cycles = 0;               ///< issue of the first to the end, block replacement included
  TripPolynomial formula;          ///< the same in the trip counts of the path's loops
  bool formula_valid = true;       ///< false: a loop's trips vary, or it never became periodic
  std::vector<double> valid_from;  ///< per loop: smallest trip count for which the formula holds
  std::vector<IssueEvent> events;  ///< in issue order
  std::vector<std::uint32_t> critical;  ///< events on the longest path, first to last
};

/// Schedules one warp along its path. Loops are closed as soon as an iteration only shifts the
/// state; a loop that does not become periodic is unrolled, at most `unroll_limit` instructions.
[[nodiscard]] LatencyPath latency_path(const BoundTiming& timing, const WarpPath& path,
                                       LoopCounting counting = LoopCounting::strict,
                                       std::uint64_t unroll_limit = 20'000'000);

/// Paths of one block whose warps meet at barriers: every warp waits for the last arrival
/// (barriers inside loops are taken as met by all warps alike). Returns one path per warp kind.
[[nodiscard]] std::vector<LatencyPath> latency_paths(const BoundTiming& timing,
                                                     const std::vector<WarpPath>& paths,
                                                     LoopCounting counting = LoopCounting::strict);

}  // namespace forewarp::binding
