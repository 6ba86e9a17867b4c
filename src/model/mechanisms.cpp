// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mechanisms.h"

#include <array>
#include <bit>

namespace forewarp::model {

std::string_view mechanism_name(Mechanism mechanism) {
  constexpr std::array<std::string_view, mechanism_kinds> names{
      "occupancy",         "arithmetic latency", "memory latency",    "issue slots",
      "execution pipes",   "memory bandwidth",   "memory contention", "caches",
      "waits at barriers", "phases of blocks",   "waves and tails",   "launch cost",
      "waits for copies"};
  return names[static_cast<std::size_t>(mechanism)];
}

int Mechanisms::count() const {
  return std::popcount(bits_);
}

std::vector<std::string_view> Mechanisms::names() const {
  std::vector<std::string_view> list;
  for (std::size_t m = 0; m < mechanism_kinds; ++m) {
    const auto mechanism = static_cast<Mechanism>(m);
    if (has(mechanism)) list.push_back(mechanism_name(mechanism));
  }
  return list;
}

}  // namespace forewarp::model
