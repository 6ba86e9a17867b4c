// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "timing/machine/cause.h"
#include "timing/machine/ticks.h"
#include "timing/recorders/clock_reads.h"
#include "timing/recorders/history.h"
#include "timing/recorders/latencies.h"

namespace forewarp::timing {

/// What the SM tells its recorder about each issue.
struct IssueHappened {
  Ticks at = 0;
  std::uint32_t scheduler = 0, block = 0, warp = 0, instruction = 0;
  Ticks before = 0;            ///< when the warp's last issue slot ended
  Ticks own_ready = 0;         ///< when nothing of its own held the warp any more
  Cause wait = Cause::idle;    ///< what of its own it waited for until then
  Cause unit = Cause::issue;   ///< what else kept it from issuing afterwards; issue: nothing
  Cause others = Cause::idle;  ///< if the warp is new: what the older warps wait for
};

/// One issue, for the timeline.
struct IssueEvent {
  Ticks at = 0;
  std::uint32_t scheduler = 0, block = 0, warp = 0, instruction = 0;
  Cause waited = Cause::issue;  ///< what the scheduler waited for before it; issue: nothing
};

/// What happened on one SM: sums, the first issues one by one, and what warps read from the clock.
/// Its size does not depend on the length of the run.
struct Recorder {
  using Causes = std::array<Ticks, cause_count>;

  explicit Recorder(std::size_t instructions)
      : stalls(instructions), issues(instructions, 0), latency_places(instructions, 0) {}

  /// Schedulers issue every `interval`.
  void add(const IssueHappened& issue, Ticks interval);
  /// Of an instruction that reads memory.
  AccessLatencies& latencies_of(std::size_t instruction) {
    std::uint32_t& place = latency_places[instruction];
    if (place == 0) {
      latencies.emplace_back();
      place = static_cast<std::uint32_t>(latencies.size());
    }
    return latencies[place - 1];
  }

  std::vector<Causes> stalls;                 ///< by instruction: warps' waits before it, by cause
  std::vector<std::uint64_t> issues;          ///< by instruction
  std::vector<std::uint32_t> latency_places;  ///< by instruction: in latencies, from 1 on; 0: none
  std::deque<AccessLatencies> latencies;
  Causes schedulers{};             ///< the schedulers' time by cause
  std::size_t most_events = 2000;  ///< issues that the timeline keeps
  std::vector<IssueEvent> events;
  Residency residency;
  BlockEnds block_ends;
  ClockReader clocks;

 private:
  std::vector<Ticks> known_;  ///< by scheduler: until when its time is accounted for
};

}  // namespace forewarp::timing
