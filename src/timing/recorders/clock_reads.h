// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program that reads the SM's clock would measure. The clock is read when S2R issues; its
// value counts as used when the first instruction that reads it issues.
// Voudouris 2014, section 6.1: T = issue of the last reading's user - issue of the first reading's
// user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/simulated_time.h"
#include "program/kernel.h"
#include "timing/machine/ticks.h"

namespace forewarp::timing {

/// Follows the clock's readings of each warp, issue by issue. Its size does not depend on how many
/// instructions are issued.
class ClockReader {
 public:
  ClockReader() = default;  ///< follows nothing
  /// `kernel` outlives it. Warps that read the clock after `most_warps` others did are left out.
  explicit ClockReader(const Kernel& kernel, std::size_t most_warps = 2000);

  /// Issues of one warp come in their order.
  void add(Ticks at, std::uint32_t block, std::uint32_t warp, std::uint32_t instruction) {
    if (!into_.empty()) note(at, block, warp, instruction);
  }

  /// Warps that read the clock twice or more, in the order of blocks.
  [[nodiscard]] std::vector<ClockedWarp> finish() const;

 private:
  struct Reading {
    Ticks read = 0, used = 0;
  };
  struct Readings {
    Reading first, last;
    std::uint64_t count = 0;
    std::uint16_t holds = no_register;  ///< register of the last reading, until it is used
  };

  void note(Ticks at, std::uint32_t block, std::uint32_t warp, std::uint32_t instruction);
  void use(Readings& warp, Ticks at, std::uint32_t instruction);
  void read(Readings& warp, Ticks at, std::uint32_t instruction);

  const Kernel* kernel_ = nullptr;
  std::size_t most_warps_ = 0;
  std::vector<std::uint16_t> into_;  ///< by instruction: register of the reading; empty: none reads
  std::size_t held_ = 0;             ///< warps whose last reading is not used yet
  std::map<std::pair<std::uint32_t, std::uint32_t>, Readings> warps_;
};

}  // namespace forewarp::timing
