// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::hardware {

/// Units that a product of matrices runs on.
enum class ProductUnit : std::uint8_t { fp32, fp64, tensor };

/// The kernels of products on one unit.
struct ProductKernels {
  struct Tile {
    double rows = 0, columns = 0;  ///< of the result, by one block
    double issue = 1;              ///< share of the issue slots that sums get
  };
  std::vector<Tile> tiles;
  double share = 1;         ///< of the unit's peak rate that a long product reaches
  double share_common = 0;  ///< the same where half of the FP32 lanes do the integers; 0: as share
};

/// What the kernels of a vendor's libraries are like, beside the board that they run on; from
/// data/libraries. Shares of 1, counts.
struct LibraryTables {
  std::string name, file;
  ProductKernels fp32, fp64, tensor;
  double most_splits = 1, least_depth = 0;  ///< of a product's depth among blocks
  double start_latencies = 0;               ///< of device memory, that nothing in a kernel hides
  double largest_factor = 0;                ///< of a transform's size, done directly
  double fft_operations = 0, fft_share = 1;
  /// Lane operations for a random number of 32 bits.
  double xorwow = 0, philox = 0, mersenne = 0, mrg = 0;

  [[nodiscard]] const ProductKernels& products(ProductUnit unit) const {
    return unit == ProductUnit::fp32 ? fp32 : unit == ProductUnit::fp64 ? fp64 : tensor;
  }
};

/// data/libraries/nvidia.toml.
[[nodiscard]] Expected<LibraryTables> load_library_tables(
    const std::filesystem::path& data_directory);
[[nodiscard]] Expected<LibraryTables> parse_library_tables(std::string_view toml,
                                                           std::string_view name);

}  // namespace forewarp::hardware
