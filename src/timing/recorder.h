// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "timing/cause.h"
#include "timing/ticks.h"

namespace forewarp {

/// One issue, for the timeline.
struct IssueEvent {
  Ticks at = 0;
  std::uint32_t scheduler = 0, block = 0, warp = 0, instruction = 0;
};

/// What happened on one SM: sums, and the first issues one by one.
struct Recorder {
  using Causes = std::array<Ticks, cause_count>;

  explicit Recorder(std::size_t instructions) : stalls(instructions), issues(instructions, 0) {}

  std::vector<Causes> stalls;          ///< by instruction: what its warps waited for before it
  std::vector<std::uint64_t> issues;   ///< by instruction
  Causes schedulers{};                 ///< schedulers' time by what kept them
  std::size_t most_events = 0;         ///< kept of the timeline
  std::vector<IssueEvent> events;
  std::vector<std::pair<Ticks, std::int32_t>> residency;  ///< warps that came (+) and went (-)
  std::vector<Ticks> block_ends;
};

}  // namespace forewarp
