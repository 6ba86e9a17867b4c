// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "timing/machine/cause.h"
#include "timing/machine/ticks.h"
#include "timing/recorders/history.h"

namespace forewarp::timing {

/// An instruction issues: what the SM tells its recorder.
struct IssueHappened {
  Ticks at = 0;
  std::uint32_t scheduler = 0, block = 0, warp = 0, instruction = 0;
  Ticks before = 0;            ///< the warp's last issue slot had ended
  Ticks own_ready = 0;         ///< nothing of its own kept the warp any more
  Cause wait = Cause::idle;    ///< what it had waited for by itself till then
  Cause unit = Cause::issue;   ///< .. and then in front of a unit; issue: none
  Cause others = Cause::idle;  ///< where it is new: what those wait for that were there before
};

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

  /// Schedulers issue every `interval`.
  void add(const IssueHappened& issue, Ticks interval);

  std::vector<Causes> stalls;         ///< by instruction: what its warps waited for before it
  std::vector<std::uint64_t> issues;  ///< by instruction
  Causes schedulers{};                ///< schedulers' time by what kept them
  std::size_t most_events = 2000;     ///< kept of the timeline
  std::vector<IssueEvent> events;
  Residency residency;
  BlockEnds block_ends;

 private:
  std::vector<Ticks> known_;  ///< by scheduler: its time is accounted for until then
};

}  // namespace forewarp::timing
