// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
        reads_(machine.bank_reads),
        window_(machine.read_window),
        to_allocation_(machine.to_allocation) {}

  [[nodiscard]] bool limit() const { return banks_ > 0; }
  /// When the next instruction may issue: two fit between issue and allocation.
  [[nodiscard]] Ticks room() const { return before_ * cycle; }

  /// `warp` issued an instruction of fixed latency at `at`.
  void take(const TimedInstruction& instruction, std::uint32_t warp, Ticks at);

 private:
  static constexpr std::uint32_t most_sides = 4;  // banks that there is room for

  [[nodiscard]] bool fits(const std::array<std::uint8_t, most_sides>& needs,
                          std::int64_t from) const;
  void reserve(const std::array<std::uint8_t, most_sides>& needs, std::int64_t from);
  [[nodiscard]] std::uint8_t& used(std::uint32_t bank, std::int64_t at) {
    return used_[bank][static_cast<std::size_t>(at) % used_[bank].size()];
  }
  [[nodiscard]] std::uint8_t used(std::uint32_t bank, std::int64_t at) const {
    return used_[bank][static_cast<std::size_t>(at) % used_[bank].size()];
  }
  void forget(std::int64_t now);

  std::uint32_t banks_, reads_;
  std::int64_t window_, to_allocation_;
  std::int64_t last_ = -1, before_ = -1;  ///< cycles of the last allocation and of the one before
  std::int64_t clean_ = 0;                ///< the cycle before which `used_` is cleared
  std::array<std::array<std::uint8_t, 16>, most_sides> used_{};  ///< reads by bank, cycle (a ring)
  std::array<std::array<std::uint64_t, most_sides>, 3> cached_{};  ///< slot, bank: warp, register
};

}  // namespace forewarp::timing
