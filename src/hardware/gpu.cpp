// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/gpu.h"

#include <algorithm>

#include "base/quantities.h"

namespace forewarp::hardware {

const LatencyRules* Gpu::rules_named(std::string_view rules_name) const {
  for (const LatencyRules& set : rules) {
    if (set.name == rules_name) return &set;
  }
  return nullptr;
}

double Gpu::number(std::string_view path, double otherwise) const {
  const auto found = facts.find(path);
  return found == facts.end() ? otherwise : found->second.value;
}

double memory_bytes_per_cycle(const Gpu& gpu) {
  return per_cycle(GigabytesPerSecond(gpu.memory.theory_gbs),
                   gpu.sms * Megahertz(gpu.clock_sustained_mhz))
      .value();
}

double highest_clock(const Gpu& gpu) {
  return std::max(gpu.clock_boost_mhz, gpu.clock_sustained_mhz);
}

}  // namespace forewarp::hardware
