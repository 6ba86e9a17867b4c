// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/device_traffic.h"

#include <algorithm>
#include <cmath>

#include "memory/shares.h"

namespace forewarp::memory {
namespace {

/// How many lines there are, if `draws` of them at random touch `touched` different ones:
/// touched = all (1 - exp(-draws / all)).
double drawn_from(double draws, double touched) {
  double least = touched, most = 1e6 * touched;
  for (int i = 0; i < 60 && most > least * 1.001; ++i) {
    const double all = std::sqrt(least * most);
    (-all * std::expm1(-draws / all) < touched ? least : most) = all;
  }
  return most;
}

}  // namespace

void DeviceTraffic::add(const DeviceTraffic& other) {
  fetched += other.fetched;
  dirtied += other.dirtied;
  read_places += other.read_places;
  write_places += other.write_places;
  stored_lines += other.stored_lines;
  written_lines += other.written_lines;
}

void DeviceTraffic::add(const WeightedCounts& counts, double sectors, bool stores) {
  const double of_places = ratio(sectors, counts.sectors) / lone_place;
  const double written = counts.part_lines - counts.part_lines_joined;
  add({sectors * ratio(counts.fetched, counts.sectors),
       sectors * ratio(counts.dirtied, counts.sectors),
       of_places * (counts.read_places - counts.read_joined),
       of_places * (counts.write_places - counts.write_joined),
       stores ? sectors * ratio(counts.lines, counts.sectors) : 0,
       sectors * ratio(written, counts.sectors)});
}

double lines_of_sectors(const DeviceTraffic& by, const Gpu& gpu) {
  return std::clamp(ratio(by.written_lines, by.dirtied), gpu.sector_bytes / gpu.line_bytes, 1.0);
}

double written_share(double waits, const DeviceTraffic& by, double gone,
                     const MemoryProfile& profile, const Gpu& gpu) {
  const double seen = ratio(by.written_lines, by.stored_lines);
  if (waits <= 0 || seen <= 0) return gone;
  const double room = waits * gpu.l2.bytes / gpu.line_bytes;
  const double touched =
      std::min({ratio(profile.unique_written_bytes, gpu.sector_bytes) * lines_of_sectors(by, gpu),
                ratio(profile.pages * profile.page_bytes, gpu.line_bytes), by.stored_lines});
  if (touched <= room) return 0;  // all of it waits
  return std::min(1.0, (1 - room / drawn_from(by.stored_lines, touched)) / seen);
}

}  // namespace forewarp::memory
