// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/library/library_time.h"

namespace forewarp::model {

/// Discrete Fourier transforms of up to three dimensions, several of one size.
struct TransformShape {
  std::vector<long long> sizes;  ///< of the dimensions
  double batch = 1;
  double element_bytes = 8;  ///< of a complex number
  bool real = false;         ///< of real numbers, or to them: half of the work and the bytes
};

/// Each dimension takes as many passes over device memory as shared memory of a block demands for
/// its points; a pass is a kernel and takes the longer of its bytes and of 5 n log2 n operations on
/// FP32 or FP64 lanes. Sizes with a large prime factor take two transforms of the next power of two
/// that is twice as long.
[[nodiscard]] LibraryTime transform_time(const Gpu& gpu, const LibraryTables& tables,
                                         const TransformShape& shape);

}  // namespace forewarp::model
