// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/access_pattern.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "hardware/access_rules.h"

namespace forewarp::binding {

namespace {

double to_far_part(const Gpu& gpu) {
  return std::max(0.0, gpu.l2.latency_far - gpu.l2.latency);
}

}  // namespace

double l2_latency(const AccessPattern& access, const Gpu& gpu) {
  return gpu.l2.latency + access.far_hits * to_far_part(gpu);
}

double last_l2_latency(const AccessPattern& access, double lines, const Gpu& gpu) {
  return gpu.l2.latency + (1 - std::pow(1 - access.far_hits, lines)) * to_far_part(gpu);
}

double last_part(double lines, const Gpu& gpu) {
  return to_far_part(gpu) / 2 * (1 - std::exp2(1 - lines));
}

double beyond_own_shared(const AccessPattern& access, const Gpu& gpu) {
  return access.distant * std::max(0.0, gpu.cluster.latency - gpu.shared_latency);
}

AccessPattern global_pattern(std::span<const std::int64_t> addresses, std::uint32_t bytes_per_lane,
                             const Gpu& gpu, bool store) {
  AccessPattern pattern;
  pattern.known = true;
  pattern.bytes_per_lane = bytes_per_lane;
  pattern.lanes = static_cast<double>(addresses.size());
  const LaneAddresses access = first_lanes(addresses, bytes_per_lane);
  const GlobalRequest request = global_request(access, gpu);
  pattern.sectors = request.sectors;
  pattern.lines = request.lines;
  pattern.stage = data_stage_cycles(access, gpu);
  pattern.visits = slice_visits(access, store, gpu);
  return pattern;
}

AccessPattern shared_pattern(std::span<const std::int64_t> addresses, std::uint32_t bytes_per_lane,
                             const Gpu& gpu) {
  AccessPattern pattern;
  pattern.known = true;
  pattern.bytes_per_lane = bytes_per_lane;
  pattern.lanes = static_cast<double>(addresses.size());
  pattern.passes = bank_passes(first_lanes(addresses, bytes_per_lane), false, gpu);
  return pattern;
}

double later_in_stage(const AccessPattern& pattern, const Gpu& gpu) {
  if (pattern.requests <= 0) return 0;
  const double back = return_cycles(pattern.lanes, pattern.bytes_per_lane, gpu);
  return std::max(0.0, (pattern.stage - std::max(back, pattern.requests)) / pattern.requests);
}

AccessPattern unit_stride_pattern(std::uint32_t bytes_per_lane, bool shared, const Gpu& gpu,
                                  bool store) {
  std::vector<std::int64_t> addresses(gpu.limits.warp_lanes);
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    addresses[lane] = static_cast<std::int64_t>(lane * bytes_per_lane);
  }
  AccessPattern pattern = shared ? shared_pattern(addresses, bytes_per_lane, gpu)
                                 : global_pattern(addresses, bytes_per_lane, gpu, store);
  pattern.known = false;
  return pattern;
}

}  // namespace forewarp::binding
