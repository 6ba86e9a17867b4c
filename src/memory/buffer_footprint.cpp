// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/buffer_footprint.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace forewarp {

std::size_t buffer_of(const std::vector<BufferRange>& buffers, std::uint64_t line, const Gpu& gpu) {
  const auto bytes = static_cast<std::uint64_t>(gpu.line_bytes);
  const auto after = std::upper_bound(
      buffers.begin(), buffers.end(), line * bytes + bytes - 1,
      [](std::uint64_t at, const BufferRange& buffer) { return at < buffer.address; });
  if (after == buffers.begin()) return buffers.size();
  const auto place = static_cast<std::size_t>(after - buffers.begin()) - 1;
  return line * bytes < buffers[place].address + buffers[place].bytes ? place : buffers.size();
}

UniqueBytes grown_in_buffers(const std::vector<BufferRange>& buffers,
                             const std::vector<UniqueBytes>& touched, double times,
                             const Gpu& gpu) {
  UniqueBytes sum;
  for (std::size_t i = 0; i < touched.size(); ++i) {
    const double most =
        i < buffers.size()
            ? std::ceil(static_cast<double>(buffers[i].bytes) / gpu.sector_bytes) * gpu.sector_bytes
            : std::numeric_limits<double>::infinity();
    sum.read += std::min(most, times * touched[i].read);
    sum.written += std::min(most, times * touched[i].written);
    sum.any += std::min(most, times * touched[i].any);
  }
  return sum;
}

}  // namespace forewarp
