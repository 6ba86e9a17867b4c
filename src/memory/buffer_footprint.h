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

/// The buffer that a line lies in (`line`: its address over the bytes of a line); the number of
/// buffers where it lies in none. `buffers` ascend.
[[nodiscard]] std::size_t buffer_of(const std::vector<BufferRange>& buffers, std::uint64_t line,
                                    const Gpu& gpu);

/// What replays touched, in whole sectors.
struct Touched {
  UniqueBytes unique;
  std::vector<UniqueBytes> by_buffer;  ///< last: outside of all
  double local_bytes = 0;              ///< of local memory, in the one that touched most of it
};

/// Adds what the lines of a sample say of all lines, and of their pages: one of `of_each` is in it.
void add_touched(const LineSet& sample, double of_each, const std::vector<BufferRange>& buffers,
                 const Gpu& gpu, Touched& sum);

/// What was touched, so many times as much, but of no buffer more than it has, in whole sectors.
/// `touched`: bytes by buffer, and last those outside of all, which have no end. Counts no pages.
[[nodiscard]] UniqueBytes grown_in_buffers(const std::vector<BufferRange>& buffers,
                                           const std::vector<UniqueBytes>& touched, double times,
                                           const Gpu& gpu);

}  // namespace forewarp::memory
