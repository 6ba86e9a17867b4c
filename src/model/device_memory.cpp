// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/device_memory.h"

#include <algorithm>

namespace forewarp::model {

namespace {

/// Bytes that could be moved in the time that a place takes, at a share `reached` of the
/// theoretical rate. No more than a line: lines at random places are read as fast as streams.
double place_bytes(const Gpu& gpu, double reached) {
  const MemoryFacts& memory = gpu.memory;
  if (memory.place_ns <= 0 || memory.channel_bits <= 0) return 0;
  const double channels = memory.bus_bits / memory.channel_bits;
  if (channels < 1) return 0;
  const double read = memory.theory_gbs * memory.read_share * memory.place_ns / channels;
  return std::min(gpu.line_bytes, read) * reached / memory.read_share;
}

}  // namespace

double DeviceMemory::delay(double load) const {
  if (!queues) return 0;
  const double utilisation = load / pole_over_reached;
  return queue_first * utilisation + queue_growth * utilisation / (1 - utilisation);
}

DeviceMemory device_memory(const Gpu& gpu, const Demand& demand, Megahertz clock) {
  DeviceMemory memory;
  const double read = demand.count(Count::read_bytes);
  const double written = demand.count(Count::write_bytes);
  memory.bytes_per_warp = Bytes(read + written);
  double reached = gpu.memory.mixed_share;
  double pole = gpu.memory.contention_mixed_share;
  if (written == 0) {
    reached = gpu.memory.read_share;
    memory.queue_growth = gpu.memory.contention_read;
    pole = gpu.memory.contention_read_share;
  } else if (read == 0) {
    reached = gpu.memory.write_share;
  } else {
    memory.queue_first = gpu.memory.contention_first;
    memory.queue_growth = gpu.memory.contention_mixed;
  }
  memory.queues = read > 0;
  if (pole > reached) memory.pole_over_reached = pole / reached;
  memory.reached = GigabytesPerSecond(gpu.memory.theory_gbs) * Share(reached);
  memory.of_sm = per_cycle(memory.reached, gpu.sms * clock);
  if (memory.of_sm > BytesPerCycle(0)) {
    // Rows are opened while others move their bytes: the longer of the two takes the time. What
    // writing costs beyond reading is part of the count of places.
    const Bytes at_places(demand.count(Count::device_places) * place_bytes(gpu, reached));
    memory.cycles_per_warp = std::max(memory.bytes_per_warp, at_places) / memory.of_sm;
    if (const double local = demand.count(Count::local_device_bytes); local > 0) {
      const double further = 1 / gpu.memory.local_share - 1;
      memory.cycles_per_warp += Bytes(local * further) / memory.of_sm;
    }
  }
  return memory;
}

}  // namespace forewarp::model
