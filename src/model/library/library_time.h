// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hardware/gpu.h"
#include "hardware/library_tables.h"

namespace forewarp::model {

/// Predicted time of a call of a vendor's library, whose kernels nobody may look into: from sizes,
/// the board's peak rates, and hardware::LibraryTables.
struct LibraryTime {
  double us = 0;                ///< on the device, all its kernels
  std::string_view limited_by;  ///< "FP32 lanes", "device memory", ..
  double share = 1;             ///< of the device's SMs that it needs, 0..1
  double blocks = 0;            ///< of the longest kernel
  double threads = 0;           ///< of one of them, as far as that is known; else 0
  std::string kernel;           ///< "128x64, depth in 4"; empty: nothing to say
};

/// Time in us of a kernel that reads and writes so many bytes beside nothing else: device memory at
/// the rate that copies reach, or L2 at the SMs' rate for what fits into it, and latencies.
[[nodiscard]] double stream_us(const Gpu& gpu, const LibraryTables& tables, double bytes);

/// So many pieces of `bytes` each, whose beginnings are `apart` bytes from one another.
struct Pieces {
  double count = 0, bytes = 0, apart = 0;
};
/// Bytes of them that memory moves: whole sectors, of which neighbours share some.
[[nodiscard]] double moved_bytes(const Gpu& gpu, const Pieces& pieces);

/// Latencies of device memory that no kernel hides, in us.
[[nodiscard]] double start_us(const Gpu& gpu, const LibraryTables& tables);

/// A call that reads and writes vectors or a matrix once: `bytes` in all; `sums`: a second kernel
/// adds up what blocks left.
[[nodiscard]] LibraryTime vector_time(const Gpu& gpu, const LibraryTables& tables, double bytes,
                                      bool sums);

/// Random numbers: 32-bit draws, lane operations for each, and bytes written.
[[nodiscard]] LibraryTime random_time(const Gpu& gpu, const LibraryTables& tables, double draws,
                                      double operations, double bytes);

}  // namespace forewarp::model
