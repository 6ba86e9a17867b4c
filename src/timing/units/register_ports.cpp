// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/units/register_ports.h"

#include <algorithm>

namespace forewarp::timing {

bool RegisterPorts::reserve(const std::array<std::uint8_t, most_sides>& needs) {
  Sides used = used_;
  for (std::uint32_t bank = 0; bank < banks_; ++bank) {
    std::uint64_t left = needs[bank];
    for (std::int64_t at = 0; left > 0; ++at) {
      if (at == window_) return false;
      const auto shift = static_cast<std::uint32_t>(at) * bits;
      const std::uint64_t taken = used[bank] >> shift & ((1U << bits) - 1);
      const std::uint64_t take = std::min(left, reads_ - taken);
      used[bank] += take << shift;
      left -= take;
    }
  }
  used_ = used;
  return true;
}

void RegisterPorts::move_to(std::int64_t first) {
  const std::int64_t past = first - first_;
  first_ = first;
  for (std::uint32_t bank = 0; bank < banks_; ++bank) {
    used_[bank] = past > most_cycles ? 0 : used_[bank] >> (static_cast<std::uint32_t>(past) * bits);
  }
}

void RegisterPorts::take(const TimedInstruction& instruction, std::uint32_t warp, Ticks at) {
  std::array<std::uint8_t, most_sides> needs{};
  for (std::uint8_t r = 0; r < instruction.port_reads; ++r) {
    const PortRead& read = instruction.ports[r];
    const std::uint64_t tag = (std::uint64_t{warp} + 1) << 16 | read.number;
    std::uint64_t& kept = cached_[read.slot][read.bank];
    if (kept != tag) ++needs[read.bank];
    kept = read.keep ? tag : 0;
  }
  std::int64_t now = std::max(at / cycle + to_allocation_, last_ + 1);
  move_to(now + 1);
  while (!reserve(needs)) move_to(++now + 1);
  before_ = last_;
  last_ = now;
}

}  // namespace forewarp::timing
