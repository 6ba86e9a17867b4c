// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "execution/access/access_stream.h"
#include "hardware/gpu.h"
#include "memory/line_set.h"
#include "memory/unique_bytes.h"

namespace forewarp::memory {

/// Index of the buffer that contains `line` (its address divided by the bytes of a line), or
/// buffers.size() if none does. `buffers` must ascend.
[[nodiscard]] std::size_t buffer_of(const std::vector<BufferRange>& buffers, std::uint64_t line,
                                    const Gpu& gpu);

/// What was touched, in whole sectors.
struct Touched {
  UniqueBytes unique;
  std::vector<UniqueBytes> by_buffer;  ///< the last entry: outside all buffers
};

/// The lines of a sample, each representing `of_each` lines, without local memory; and an estimate
/// of their pages. A page of two buffers counts for one of them.
[[nodiscard]] Touched touched_by(const LineSet& sample, double of_each,
                                 const std::vector<BufferRange>& buffers, const Gpu& gpu);

/// Bytes of local memory in a sample, each line representing `of_each` lines.
[[nodiscard]] double local_bytes_of(const LineSet& sample, double of_each, const Gpu& gpu);

/// By buffer: how many times the bytes that `all` touched are touched by `times` as many blocks,
/// if they grow on as they did from `some`, which `share` of those blocks touched: by that power
/// of the number of blocks. A table that all blocks read does not grow.
[[nodiscard]] std::vector<double> growth_of(const Touched& some, double share, const Touched& all,
                                            double times);

/// The bytes and pages touched, multiplied by each buffer's `times` but limited to its size, in
/// whole sectors. `touched` and `times`: by buffer, with what is outside all buffers last, which
/// is not limited.
[[nodiscard]] Touched grown_in_buffers(const std::vector<BufferRange>& buffers,
                                       const std::vector<UniqueBytes>& touched,
                                       const std::vector<double>& times, const Gpu& gpu);

}  // namespace forewarp::memory
