// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::program {

/// Registers that warps of a block gave away (USETMAXREG), as a barrier: a phase for each gift.
inline constexpr std::uint32_t spare_registers = 0x40000000;

/// What one instruction does to a barrier in shared memory (mbarrier), or what it copies
/// asynchronously. A launch's timing follows from these, without its addresses.
struct AsyncEvent {
  enum class Kind : std::uint8_t {
    init,    ///< `count` arrivals complete a phase
    arrive,  ///< `count` arrivals, and `bytes` that the phase waits for besides
    wait,    ///< passes once `count` phases have been completed since the barrier's init
    copy,    ///< into shared memory: `bytes` that complete part of the barrier's phase
    store,   ///< out of shared memory, `bytes`
    meet     ///< at a named barrier of `count` warps; it goes on at once where `bytes` is 1
  };
  Kind kind = Kind::wait;
  std::uint32_t instruction = 0;  ///< index in the kernel
  std::uint32_t barrier = 0;      ///< byte offset in the block's shared memory; the named barrier
  std::uint32_t count = 0;
  std::int64_t bytes = 0;
  bool same_time = false;  ///< of the same execution as the event before

  bool operator==(const AsyncEvent&) const = default;
};

}  // namespace forewarp::program
