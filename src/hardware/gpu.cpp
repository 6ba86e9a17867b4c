// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/gpu.h"

#include <algorithm>

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
  return gpu.memory.theory_gbs * 1000 / (gpu.sms * gpu.clock_sustained_mhz);
}

double highest_clock(const Gpu& gpu) {
  return std::max(gpu.clock_boost_mhz, gpu.clock_sustained_mhz);
}

}  // namespace forewarp::hardware
