// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace forewarp::timing {

/// What a warp, or a scheduler, waited for before it issued.
enum class Cause : std::uint8_t {
  issue,         ///< it issued
  dependence,    ///< a result of fixed latency, or the compiler's stall count
  math,          ///< a result of a unit of variable latency
  shared,        ///< a result from shared memory, or a shuffle
  l1,            ///< data that L1 had
  l2,            ///< data that L2 had
  memory,        ///< data from device memory
  constant,      ///< a constant beyond the first level
  copy,          ///< a phase of a barrier in shared memory: copies, or other warps
  barrier,       ///< the other warps of its block
  fetch,         ///< instructions that are not there yet: after a jump, or missed by the caches
  pipe,          ///< a unit that is still taken
  queue,         ///< the memory unit's queue is full
  registers,     ///< read ports of the register file that are taken
  not_selected,  ///< another warp was chosen
  idle,          ///< the scheduler has no warp: before its first and after its last block
  count_
};

inline constexpr std::size_t cause_count = static_cast<std::size_t>(Cause::count_);

inline constexpr std::array<std::string_view, cause_count> cause_names{
    "issue", "dependence", "math",  "shared", "l1",    "l2",        "memory",       "constant",
    "copy",  "barrier",    "fetch", "pipe",   "queue", "registers", "not_selected", "idle"};

}  // namespace forewarp::timing
