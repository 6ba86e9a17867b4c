// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "binding/issue_rules.h"
#include "timing/machine/cause.h"
#include "timing/machine/stream.h"
#include "timing/machine/timed_kernel.h"
#include "timing/units/constant_cache.h"
#include "timing/units/issue_policy.h"
#include "timing/units/ready_times.h"
#include "timing/units/register_ports.h"

namespace forewarp::timing {

// Draws of where loads find their data advance by these steps, whose multiples spread evenly over
// 2^32: the fractional parts of the golden ratio and of the square root of 2.
inline constexpr std::uint32_t even_step = 0x9e3779b9;
inline constexpr std::uint32_t other_even_step = 0x6a09e667;

/// A resident warp: its position in its stream, and what it waits for. What every issue looks at
/// comes first, so that it fills few cache lines.
struct alignas(64) Warp {
  Ticks issued = 0;     ///< when its last issue slot ended
  Ticks own_ready = 0;  ///< when nothing of its own holds it any more
  std::uint32_t draw = 0, block = 0, number = 0, code_line = 0xffffffff;
  Cause wait = Cause::idle;   ///< what of its own it waits for
  Cause unit = Cause::issue;  ///< what else kept it from issuing; issue: nothing
  bool at_barrier = false;
  IssueState<Ticks, Cause> state;
  Cursor cursor;
  // Asynchronous work.
  static constexpr std::size_t most_groups = 16;
  const std::vector<AsyncEvent>* events = nullptr;
  std::size_t next_event = 0;
  bool at_phase = false;  ///< sleeps until the barrier `awaited` has ended `awaited_phases` phases
  std::uint32_t awaited = 0, awaited_phases = 0;
  Ticks products_end = 0;     ///< of all products that it started
  std::vector<Ticks> groups;  ///< ends of its latest groups of products
};

/// A scheduler with its warps and units. Each warp has a place, which is its bit in masks.
struct SubCore {
  static constexpr std::size_t most_warps = ReadyTimes::most;

  explicit SubCore(const SmMachine& machine)
      : policy(machine.policy),
        ports(machine),
        constants(machine.constant_lines),
        units(machine.pipes.size(), 0) {}

  /// The next slot in which a warp may issue, not before `not_before`.
  [[nodiscard]] Ticks next_slot(Ticks not_before, Ticks interval) const {
    const Ticks first = ready.next(std::max(not_before, port));
    return first == never ? never : slot_from(first, interval);
  }

  ReadyTimes ready;
  std::array<std::uint32_t, most_warps> age{};
  std::array<Warp, most_warps> warps;
  std::uint64_t used = 0;  ///< mask of places with a warp
  std::uint32_t resident = 0, places = 0;
  Ticks port = 0;           ///< when the issue port is free
  bool more_ready = false;  ///< other warps were ready at the last issue
  IssuePolicy policy;
  RegisterPorts ports;
  ConstantCache constants;
  std::vector<Ticks> units;  ///< when each of its own pipes is free
  Ticks fetched = 0;         ///< when everything issued so far had been fetched
};

}  // namespace forewarp::timing
