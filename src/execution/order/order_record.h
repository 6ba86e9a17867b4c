// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostic.h"

namespace forewarp::execution {

/// What blocks waited for, over one execution in simulated time. An edge leads from a write of one
/// block to the wait of another that it ends. Times are in the clock's own unit.
struct OrderRecord {
  static constexpr std::uint32_t nowhere = 0xffffffff;

  double end = 0;             ///< when the last block ended
  std::uint64_t edges = 0;    ///< waits that a write of another block ended
  std::uint64_t polls = 0;    ///< attempts that failed; all but a few of each wait are not executed
  std::uint64_t pollers = 0;  ///< warps that polled one word at the same time, at most ..
  double poll_period = 0;     ///< .. and how long after each other one of them does so by itself
  std::uint64_t chain = 0;    ///< edges, one after the other, that led to the last end
  double handed = 0;          ///< of `end`: from the writes to the polls that saw them
  double queued = 0;          ///< of `end`: atomics behind others on the same word
  std::uint32_t instruction = nowhere;  ///< where the chain's waits were, mostly
  std::uint64_t blocks = 0;             ///< that ran to their end
  std::uint64_t of_blocks = 0;          ///< that were to run
  std::uint64_t most_resident = 0;      ///< at the same time
  std::vector<double> ends;             ///< when each block ended, in order; of a cut run
  /// Blocks wait for what nobody will write: for ones that are not resident, or for ever. The time
  /// and the counts end there.
  std::optional<Diagnostic> deadlock;

  [[nodiscard]] bool cut() const { return blocks < of_blocks; }
};

}  // namespace forewarp::execution
