// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/access_pattern.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace forewarp {
namespace {

std::size_t distinct(std::vector<std::int64_t>& values) {
  std::sort(values.begin(), values.end());
  return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

std::int64_t floor_div(std::int64_t value, std::int64_t by) {
  return value >= 0 ? value / by : -((-value + by - 1) / by);
}

/// Units of `unit` bytes that the accesses touch.
double units(std::span<const std::int64_t> addresses, std::uint32_t bytes, double unit) {
  const auto size = static_cast<std::int64_t>(unit);
  std::vector<std::int64_t> touched;
  touched.reserve(addresses.size() * 2);
  for (const std::int64_t address : addresses) {
    const std::int64_t last = floor_div(address + bytes - 1, size);
    for (std::int64_t u = floor_div(address, size); u <= last; ++u) touched.push_back(u);
  }
  return static_cast<double>(distinct(touched));
}

double passes_of_group(std::span<const std::int64_t> addresses, std::uint32_t bytes,
                       const Gpu& gpu) {
  const auto word = static_cast<std::int64_t>(gpu.shared_bank_bytes);
  const auto banks = static_cast<std::int64_t>(gpu.shared_banks);
  std::vector<std::int64_t> words;
  for (const std::int64_t address : addresses) {
    const std::int64_t last = floor_div(address + bytes - 1, word);
    for (std::int64_t w = floor_div(address, word); w <= last; ++w) words.push_back(w);
  }
  words.resize(distinct(words));
  std::vector<int> depth(static_cast<std::size_t>(banks), 0);
  int deepest = 0;
  for (const std::int64_t w : words) {
    int& bank = depth[static_cast<std::size_t>(((w % banks) + banks) % banks)];
    deepest = std::max(deepest, ++bank);
  }
  return deepest;
}

}  // namespace

AccessPattern global_pattern(std::span<const std::int64_t> addresses, std::uint32_t bytes_per_lane,
                             const Gpu& gpu) {
  AccessPattern pattern;
  pattern.known = true;
  pattern.bytes_per_lane = bytes_per_lane;
  pattern.lanes = static_cast<double>(addresses.size());
  pattern.sectors = units(addresses, bytes_per_lane, gpu.sector_bytes);
  pattern.lines = units(addresses, bytes_per_lane, gpu.line_bytes);
  return pattern;
}

AccessPattern shared_pattern(std::span<const std::int64_t> addresses, std::uint32_t bytes_per_lane,
                             const Gpu& gpu) {
  AccessPattern pattern;
  pattern.known = true;
  pattern.bytes_per_lane = bytes_per_lane;
  pattern.lanes = static_cast<double>(addresses.size());
  // All banks together deliver one row of words a pass: wider accesses take the warp in groups.
  const double row = gpu.shared_banks * gpu.shared_bank_bytes;
  const double per_pass = std::max(1.0, std::floor(row / bytes_per_lane));
  const auto group =
      static_cast<std::size_t>(std::min(per_pass, static_cast<double>(gpu.limits.warp_lanes)));
  pattern.passes = 0;
  for (std::size_t begin = 0; begin < addresses.size(); begin += group) {
    const std::size_t size = std::min(group, addresses.size() - begin);
    pattern.passes += passes_of_group(addresses.subspan(begin, size), bytes_per_lane, gpu);
  }
  return pattern;
}

AccessPattern unit_stride_pattern(std::uint32_t bytes_per_lane, bool shared, const Gpu& gpu) {
  std::vector<std::int64_t> addresses(gpu.limits.warp_lanes);
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    addresses[lane] = static_cast<std::int64_t>(lane * bytes_per_lane);
  }
  AccessPattern pattern = shared ? shared_pattern(addresses, bytes_per_lane, gpu)
                                 : global_pattern(addresses, bytes_per_lane, gpu);
  pattern.known = false;
  return pattern;
}

}  // namespace forewarp
