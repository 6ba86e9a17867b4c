// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/units/register_ports.h"

#include <algorithm>

namespace forewarp::timing {

bool RegisterPorts::fits(const std::array<std::uint8_t, most_sides>& needs,
                         std::int64_t from) const {
  for (std::uint32_t bank = 0; bank < banks_; ++bank) {
    std::uint32_t room = 0;
    for (std::int64_t at = from; at < from + window_; ++at) room += reads_ - used(bank, at);
    if (room < needs[bank]) return false;
  }
  return true;
}

void RegisterPorts::reserve(const std::array<std::uint8_t, most_sides>& needs, std::int64_t from) {
  for (std::uint32_t bank = 0; bank < banks_; ++bank) {
    std::uint32_t left = needs[bank];
    for (std::int64_t at = from; left > 0; ++at) {
      const std::uint32_t take = std::min<std::uint32_t>(left, reads_ - used(bank, at));
      used(bank, at) = static_cast<std::uint8_t>(used(bank, at) + take);
      left -= take;
    }
  }
}

void RegisterPorts::forget(std::int64_t now) {
  const auto size = static_cast<std::int64_t>(used_[0].size());
  for (std::int64_t at = std::max(clean_, now - size); at < now; ++at) {
    for (std::uint32_t bank = 0; bank < banks_; ++bank) used(bank, at) = 0;
  }
  clean_ = std::max(clean_, now);
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
  forget(now + 1);
  while (!fits(needs, now + 1)) forget(++now + 1);
  reserve(needs, now + 1);
  before_ = last_;
  last_ = now;
}

}  // namespace forewarp::timing
