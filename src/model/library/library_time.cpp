// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/library/library_time.h"

#include <algorithm>
#include <cmath>

#include "hardware/reached_bandwidth.h"

namespace forewarp::model {
namespace {

constexpr double bytes_per_us = 1e3;  // of 1 GB/s
constexpr std::string_view device_memory = "device memory";

}  // namespace

double start_us(const Gpu& gpu, const LibraryTables& tables) {
  const double mhz = gpu.memory.latency_mhz > 0 ? gpu.memory.latency_mhz : gpu.clock_sustained_mhz;
  return tables.start_latencies * gpu.memory.latency / mhz;
}

double stream_us(const Gpu& gpu, const LibraryTables& tables, double bytes) {
  const double l2_bytes_per_us = gpu.l2.read_bytes * gpu.sms * gpu.clock_sustained_mhz;
  const bool fits = bytes <= gpu.l2.bytes && l2_bytes_per_us > 0;
  const double rate = reached_bandwidth(gpu).gbs * bytes_per_us;
  return start_us(gpu, tables) + bytes / (fits ? std::max(rate, l2_bytes_per_us) : rate);
}

double moved_bytes(const Gpu& gpu, const Pieces& pieces) {
  if (pieces.count <= 0) return 0;
  const double extent = (pieces.count - 1) * pieces.apart + pieces.bytes;
  const double sector = std::max(1.0, gpu.sector_bytes);
  return std::min(extent, pieces.count * std::ceil(pieces.bytes / sector) * sector);
}

LibraryTime vector_time(const Gpu& gpu, const LibraryTables& tables, double bytes, bool sums) {
  LibraryTime time;
  time.us = stream_us(gpu, tables, bytes);
  const bool short_one = time.us < 2 * start_us(gpu, tables);
  if (sums) time.us += gpu.stream_us + start_us(gpu, tables);
  time.limited_by = short_one ? "latency" : device_memory;
  return time;
}

LibraryTime random_time(const Gpu& gpu, const LibraryTables& tables, double draws,
                        double operations, double bytes) {
  LibraryTime time;
  const double lanes = gpu.core_lanes * gpu.sms * gpu.clock_sustained_mhz;  // per us
  const double computed = start_us(gpu, tables) + draws * operations / lanes;
  time.us = stream_us(gpu, tables, bytes);
  time.limited_by = device_memory;
  if (computed <= time.us) return time;
  time.us = computed;
  time.limited_by = "FP32 lanes";
  return time;
}

}  // namespace forewarp::model
