// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/atomic_rates.h"

#include <algorithm>
#include <array>

#include "program/modifier.h"

namespace forewarp::binding {

double AtomicRates::lane_of(const Instruction& instruction) const {
  constexpr std::array floats{modifier::f16,   modifier::f32,    modifier::f64,
                              modifier::f16x2, modifier::bf16x2, modifier::f16x4};
  const bool sums = std::any_of(floats.begin(), floats.end(),
                                [&](modifier::Known kind) { return instruction.has(kind); });
  return sums ? float_lane : lane;
}

double AtomicRates::shared_lane_of(const Instruction& instruction) const {
  if (instruction.has(modifier::popc)) return 0;  // one turn counts all lanes
  return instruction.has(modifier::cas) ? shared_swap : shared_lane;
}

AtomicRates atomic_rates(const Gpu& gpu) {
  AtomicRates rates;
  const double bits = gpu.l2.slice_bits;
  if (bits > 0) rates.slices = gpu.memory.bus_bits / bits;
  rates.sector = gpu.l2.slice_sector_cycles;
  rates.visit = gpu.atomic.visit_cycles;
  rates.lane = gpu.atomic.lane_cycles;
  rates.float_lane = gpu.atomic.float_lane_cycles;
  rates.shared_lane = gpu.atomic.shared_lane_cycles;
  rates.shared_swap = gpu.atomic.shared_swap_cycles;
  return rates;
}

}  // namespace forewarp::binding
