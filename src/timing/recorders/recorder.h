// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "timing/recorders/history.h"
#include "timing/machine/cause.h"
#include "timing/machine/ticks.h"

namespace forewarp::timing {

/// One issue, for the timeline.
struct IssueEvent {
  Ticks at = 0;
  std::uint32_t scheduler = 0, block = 0, warp = 0, instruction = 0;
  Cause waited = Cause::issue;  ///< what the scheduler had waited for; issue: it had not
};

/// What happened on one SM: sums, and the first issues one by one. Its size does not grow with the
/// length of the run.
struct Recorder {
  using Causes = std::array<Ticks, cause_count>;

  explicit Recorder(std::size_t instructions) : stalls(instructions), issues(instructions, 0) {}

  std::vector<Causes> stalls;         ///< by instruction: what its warps waited for before it
  std::vector<std::uint64_t> issues;  ///< by instruction
  Causes schedulers{};                ///< schedulers' time by what kept them
  std::size_t most_events = 2000;     ///< kept of the timeline
  std::vector<IssueEvent> events;
  Residency residency;
  BlockEnds block_ends;
};

}  // namespace forewarp::timing
