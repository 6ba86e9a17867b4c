// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/library/product_time.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "hardware/reached_bandwidth.h"

namespace forewarp::model {
namespace {

using hardware::ProductUnit;
using Type = ProductShape::Type;

constexpr double sum_bytes = 4;  // of a part that a split depth leaves

double class_rate(const Gpu& gpu, std::string_view name) {
  const auto found = gpu.classes.find(name);
  if (found == gpu.classes.end() || found->second.cycles <= 0) return 0;
  return gpu.limits.warp_lanes / found->second.cycles;
}

double share_of(const Gpu& gpu, const hardware::ProductKernels& kernels) {
  const bool common = class_rate(gpu, "fp32") >= 2 * class_rate(gpu, "integer");
  return common && kernels.share_common > 0 ? kernels.share_common : kernels.share;
}

std::string_view unit_name(ProductUnit unit) {
  return unit == ProductUnit::tensor ? "matrix units"
         : unit == ProductUnit::fp64 ? "FP64 lanes"
                                     : "FP32 lanes";
}

/// The compulsory bytes of device memory.
double memory_bytes(const ProductShape& s) {
  const double results = s.m * s.n * s.output_bytes * (s.reads_result ? 2 : 1);
  return s.batch * ((s.m * s.k + s.k * s.n) * s.input_bytes + results);
}

struct Choice {
  const Gpu& gpu;
  const LibraryTables& tables;
  const ProductShape& shape;
  double macs = 0;       ///< reached by a tile whose sums get all issue slots
  double memory_us = 0;  ///< device memory alone

  [[nodiscard]] LibraryTime with(const hardware::ProductKernels::Tile& tile, double splits,
                                 std::string_view unit) const {
    const double depth = std::ceil(shape.k / splits);
    const double area = tile.rows * tile.columns;
    const double sums = shape.complex_factor * area * depth / (macs * tile.issue);
    const double l2_rate = gpu.l2.read_bytes;
    const double loads =
        l2_rate > 0 ? (tile.rows + tile.columns) * depth * shape.input_bytes / l2_rate : 0;
    LibraryTime time;
    time.blocks =
        std::ceil(shape.m / tile.rows) * std::ceil(shape.n / tile.columns) * shape.batch * splits;
    const double waves = std::ceil(time.blocks / gpu.sms);
    const double mhz = gpu.clock_sustained_mhz;
    const double own_us = waves * std::max(sums, loads) / mhz;
    time.us = start_us(gpu, tables) + std::max(own_us, memory_us);
    time.limited_by = memory_us > own_us ? "device memory" : loads > sums ? "L2" : unit;
    time.share = std::min(1.0, time.blocks / gpu.sms);
    time.kernel = significant(tile.rows, 6) + "x" + significant(tile.columns, 6);
    if (splits > 1) {
      const double parts = (splits + 1) * shape.m * shape.n * shape.batch * sum_bytes;
      time.us += gpu.stream_us + stream_us(gpu, tables, parts);
      time.kernel += ", depth in " + significant(splits, 6);
    }
    return time;
  }
};

}  // namespace

ProductRate product_rate(const Gpu& gpu, Type type) {
  const TensorFacts& tensor = gpu.tensor;
  const double wide = tensor.wide_sum_share > 0 ? tensor.wide_sum_share : 1;
  const double fp32 = std::max(gpu.core_lanes, class_rate(gpu, "fp32"));
  const ProductRate lanes{ProductUnit::fp32, fp32};
  switch (type) {
    case Type::fp64:
      if (tensor.double_macs > 0) return {ProductUnit::tensor, tensor.double_macs};
      return {ProductUnit::fp64, class_rate(gpu, "fp64")};
    case Type::fp32:
      return lanes;
    case Type::tf32:
      if (tensor.single_macs > 0) return {ProductUnit::tensor, tensor.single_macs * wide};
      return lanes;
    case Type::half:
      if (tensor.half_macs > 0) return {ProductUnit::tensor, tensor.half_macs * wide};
      return lanes;
    case Type::narrow_sums:
      if (tensor.half_macs > 0) return {ProductUnit::tensor, tensor.half_macs};
      return {ProductUnit::fp32, std::max(fp32, 2 * class_rate(gpu, "fp16"))};
    case Type::byte:
      if (tensor.byte_macs > 0) return {ProductUnit::tensor, tensor.byte_macs};
      if (tensor.integer_macs > 0) return {ProductUnit::tensor, tensor.integer_macs};
      return lanes;
  }
  return lanes;
}

LibraryTime product_time(const Gpu& gpu, const LibraryTables& tables, const ProductShape& shape) {
  LibraryTime best;
  if (shape.m <= 0 || shape.n <= 0 || shape.batch <= 0) return best;
  const ProductRate rate = product_rate(gpu, shape.type);
  if (rate.macs <= 0) return best;
  const hardware::ProductKernels& kernels = tables.products(rate.unit);
  const double memory_us = memory_bytes(shape) / (1e3 * reached_bandwidth(gpu).gbs);
  const Choice choice{gpu, tables, shape, rate.macs * share_of(gpu, kernels), memory_us};
  for (const auto& tile : kernels.tiles) {
    const double tiles =
        std::ceil(shape.m / tile.rows) * std::ceil(shape.n / tile.columns) * shape.batch;
    for (double splits = 1; splits <= tables.most_splits; splits *= 2) {
      const bool allowed = tiles < gpu.sms && shape.k / splits >= tables.least_depth;
      if (splits > 1 && !allowed) break;
      LibraryTime time = choice.with(tile, splits, unit_name(rate.unit));
      if (best.us == 0 || time.us < best.us) best = std::move(time);
    }
  }
  return best;
}

}  // namespace forewarp::model
