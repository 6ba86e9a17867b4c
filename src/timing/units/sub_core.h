// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "binding/issue_rules.h"
#include "timing/machine/cause.h"
#include "timing/machine/stream.h"
#include "timing/machine/timed_kernel.h"
#include "timing/units/constant_cache.h"
#include "timing/units/issue_policy.h"
#include "timing/units/register_ports.h"

namespace forewarp::timing {

// Where loads find their data is drawn by steps: these spread evenly over 2^32, golden and silver.
inline constexpr std::uint32_t even_step = 0x9e3779b9;
inline constexpr std::uint32_t other_even_step = 0x6a09e667;

/// A resident warp: where it is on its way, and what it waits for.
struct Warp {
  Cursor cursor;
  IssueState<Ticks, Cause> state;
  Ticks issued = 0;     ///< its last instruction's issue slot ended
  Ticks own_ready = 0;  ///< when nothing of its own kept it any more
  std::uint32_t draw = 0, block = 0, number = 0, code_line = 0xffffffff;
  Cause wait = Cause::idle;   ///< what it waits for by itself
  Cause unit = Cause::issue;  ///< .. and in front of a unit; issue: none
  bool at_barrier = false;
};

/// A scheduler with its warps and units. Warps have places; a place is a bit of a mask.
struct SubCore {
  static constexpr std::size_t most_warps = 64;

  explicit SubCore(const SmMachine& machine)
      : policy(machine.policy),
        ports(machine),
        constants(machine.constant_lines),
        units(machine.pipes.size(), 0) {
    ready.fill(never);
  }

  /// When somebody may issue, not before `not_before`.
  void find_next(Ticks not_before, Ticks interval) {
    Ticks first = never;
    for (std::uint32_t p = 0; p < places; ++p) first = std::min(first, ready[p]);
    next = first == never ? never : slot_from(std::max({first, not_before, port}), interval);
  }

  std::array<Ticks, most_warps> ready{};
  std::array<std::uint32_t, most_warps> age{};
  std::array<Warp, most_warps> warps;
  std::uint64_t used = 0;  ///< places with a warp
  std::uint32_t resident = 0, places = 0;
  Ticks next = never;       ///< when somebody may issue
  Ticks port = 0;           ///< the issue port is free again
  bool more_ready = false;  ///< after an issue: others were ready too
  IssuePolicy policy;
  RegisterPorts ports;
  ConstantCache constants;
  std::vector<Ticks> units;  ///< when each pipe of its own is free
  Ticks fetched = 0;         ///< what was issued by now had been fetched until then
};

}  // namespace forewarp::timing
