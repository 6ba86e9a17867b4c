// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/library/library_time.h"

namespace forewarp::model {

/// C (m x n) = A (m x k) B (k x n), several times. Types by bytes of an element.
struct ProductShape {
  double m = 0, n = 0, k = 0;
  double batch = 1;
  enum class Type : std::uint8_t { fp64, fp32, tf32, half, narrow_sums, byte };
  Type type = Type::fp32;  ///< of the sums: half has sums of 32 bits, narrow_sums of 16
  double input_bytes = 4, output_bytes = 4;
  double complex_factor = 1;  ///< real products for one: 4 of complex numbers
  bool reads_result = false;  ///< beta is not 0
};

/// The unit that a board has for the type, and its multiply-adds per SM and cycle at peak.
struct ProductRate {
  hardware::ProductUnit unit = hardware::ProductUnit::fp32;
  double macs = 0;
};
[[nodiscard]] ProductRate product_rate(const Gpu& gpu, ProductShape::Type type);

/// The product by the tile and the split of its depth that take the least time:
/// max(waves * max(tile_m tile_n depth / (macs share), (tile_m + tile_n) depth bytes / L2 rate) /
/// clock, bytes / bandwidth) + latencies; a split depth adds a kernel that sums up.
/// Known limit: clocks under a power limit, and lone blocks that wait at their barriers, are not in
/// it: small products are predicted 20 % too short.
[[nodiscard]] LibraryTime product_time(const Gpu& gpu, const LibraryTables& tables,
                                       const ProductShape& shape);

}  // namespace forewarp::model
