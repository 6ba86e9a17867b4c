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

/// What replays touched, in whole sectors.
struct Touched {
  UniqueBytes unique;
  std::vector<UniqueBytes> by_buffer;  ///< the last entry: outside all buffers
  double local_bytes = 0;              ///< of local memory, in the replay that touched most of it
};

/// Adds the lines of a sample, each representing `of_each` lines, and an estimate of their pages.
void add_touched(const LineSet& sample, double of_each, const std::vector<BufferRange>& buffers,
                 const Gpu& gpu, Touched& sum);

/// The bytes touched, multiplied by `times` but limited to each buffer's size, in whole sectors.
/// `touched`: by buffer, with bytes outside all buffers last, which are not limited. Does not count
/// pages.
[[nodiscard]] UniqueBytes grown_in_buffers(const std::vector<BufferRange>& buffers,
                                           const std::vector<UniqueBytes>& touched, double times,
                                           const Gpu& gpu);

}  // namespace forewarp::memory
