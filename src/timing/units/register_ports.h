// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "timing/machine/timed_kernel.h"

namespace forewarp::timing {

/// Read ports of a sub-core's register file and its operand cache. An instruction of fixed latency
/// must read its registers within the read window after its allocation; if the ports are taken, it
/// and those behind it are allocated later.
class RegisterPorts {
 public:
  explicit RegisterPorts(const SmMachine& machine)
      : banks_(machine.banks),
        reads_(std::min(machine.bank_reads, most_reads)),
        window_(machine.read_window),
        to_allocation_(machine.to_allocation) {}

  [[nodiscard]] bool limit() const { return banks_ > 0; }
  /// When the next instruction may issue: two fit between issue and allocation.
  [[nodiscard]] Ticks room() const { return before_ * cycle; }

  /// `warp` issued an instruction of fixed latency at `at`.
  void take(const TimedInstruction& instruction, std::uint32_t warp, Ticks at);

 private:
  static constexpr std::uint32_t most_sides = 4;   // banks that there is room for
  static constexpr std::int64_t most_cycles = 12;  // of a read window
  static constexpr std::uint32_t bits = 5;         // of a number of reads in one cycle
  static constexpr std::uint32_t most_reads = 31;  // more than all of the instructions in a window
  using Sides = std::array<std::uint64_t, most_sides>;

  /// Reserves so many reads of each bank in the window; false, and nothing is, if they do not fit.
  bool reserve(const std::array<std::uint8_t, most_sides>& needs);
  /// Begins the window at `first`.
  void move_to(std::int64_t first);

  std::uint32_t banks_, reads_;
  std::int64_t window_, to_allocation_;
  std::int64_t last_ = -1, before_ = -1;  ///< cycles of the last allocation and of the one before
  std::int64_t first_ = 0;                ///< the cycle at which the window begins
  Sides used_{};  ///< reads by bank; of each cycle of the window `bits` bits, its first lowest
  std::array<std::array<std::uint64_t, most_sides>, 3> cached_{};  ///< slot, bank: warp, register
};

}  // namespace forewarp::timing
