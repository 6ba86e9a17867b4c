// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/library/transform_time.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace forewarp::model {
namespace {

constexpr double double_bytes = 16;  // of a complex number of doubles

long long largest_factor(long long n) {
  long long largest = 1;
  for (long long factor = 2; factor * factor <= n; ++factor) {
    for (; n % factor == 0; n /= factor) largest = factor;
  }
  return std::max(largest, n);
}

struct Passes {
  double kernels = 0;     ///< over all data
  double operations = 0;  ///< of each point
  double stretch = 1;     ///< points that are moved for one of the transform's
};

Passes passes_of(const Gpu& gpu, const LibraryTables& tables, long long size,
                 double element_bytes) {
  if (size <= 1) return {};
  const bool direct = static_cast<double>(largest_factor(size)) <= tables.largest_factor;
  const double points = direct ? static_cast<double>(size)
                               : std::exp2(std::ceil(std::log2(2 * static_cast<double>(size) - 1)));
  const double held = std::max(2.0, gpu.limits.shared_per_block / element_bytes);
  const double kernels = std::ceil(std::log2(points) / std::log2(held));
  const double transforms = direct ? 1 : 2;
  const double stretch = points / static_cast<double>(size);
  return {transforms * kernels, transforms * stretch * tables.fft_operations * std::log2(points),
          stretch};
}

}  // namespace

LibraryTime transform_time(const Gpu& gpu, const LibraryTables& tables,
                           const TransformShape& shape) {
  double points = shape.batch;
  for (const long long size : shape.sizes) points *= static_cast<double>(size);
  if (shape.real) points /= 2;
  const bool wide = shape.element_bytes >= double_bytes;
  const auto lanes = gpu.classes.find(wide ? "fp64" : "fp32");
  const double cycles = lanes == gpu.classes.end() ? 0 : lanes->second.cycles;
  if (cycles <= 0) return {};
  // Of fused operations, two at a time.
  const double rate =
      2 * tables.fft_share * gpu.limits.warp_lanes / cycles * gpu.sms * gpu.clock_sustained_mhz;
  LibraryTime time;
  double memory_us = 0, computing_us = 0, kernels = 0;
  for (const long long size : shape.sizes) {
    const Passes passes = passes_of(gpu, tables, size, shape.element_bytes);
    if (passes.kernels == 0) continue;
    const double moved = 2 * points * passes.stretch * shape.element_bytes;
    const double moving = passes.kernels * stream_us(gpu, tables, moved);
    const double computing =
        passes.kernels * start_us(gpu, tables) + points * passes.operations / rate;
    memory_us += moving;
    computing_us += computing;
    time.us += std::max(moving, computing);
    kernels += passes.kernels;
  }
  time.us += std::max(0.0, kernels - 1) * gpu.stream_us;
  time.limited_by = computing_us > memory_us ? (wide ? "FP64 lanes" : "FP32 lanes") : "memory";
  if (kernels > 1) time.kernel = significant(kernels, 6) + " kernels";
  return time;
}

}  // namespace forewarp::model
