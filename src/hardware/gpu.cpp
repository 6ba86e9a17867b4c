// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/gpu.h"

#include "base/text.h"
#include "hardware/database.h"

namespace forewarp::hardware {

std::string Capability::text() const {
  return std::to_string(major) + '.' + std::to_string(minor);
}

Expected<Capability> parse_capability(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot != std::string_view::npos) {
    const auto major = parse_integer(text.substr(0, dot));
    const auto minor = parse_integer(text.substr(dot + 1));
    if (major && minor && *major >= 1 && *major < 100 && *minor >= 0 && *minor < 10) {
      return Capability{static_cast<int>(*major), static_cast<int>(*minor)};
    }
  }
  return Diagnostic{"compute capability", "'" + std::string(text) + "' is none",
                    "MAJOR.MINOR, as in 7.5", ""};
}

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
  return gpu.memory_theory_gbs * 1000 / (gpu.sms * gpu.clock_sustained_mhz);
}

}  // namespace forewarp::hardware
