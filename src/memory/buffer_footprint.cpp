// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/buffer_footprint.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "memory/replay.h"

namespace forewarp::memory {

std::size_t buffer_of(const std::vector<BufferRange>& buffers, std::uint64_t line, const Gpu& gpu) {
  const auto bytes = static_cast<std::uint64_t>(gpu.line_bytes);
  const auto after = std::upper_bound(
      buffers.begin(), buffers.end(), line * bytes + bytes - 1,
      [](std::uint64_t at, const BufferRange& buffer) { return at < buffer.address; });
  if (after == buffers.begin()) return buffers.size();
  const auto place = static_cast<std::size_t>(after - buffers.begin()) - 1;
  return line * bytes < buffers[place].address + buffers[place].bytes ? place : buffers.size();
}

void add_touched(const LineSet& sample, double of_each, const std::vector<BufferRange>& buffers,
                 const Gpu& gpu, Touched& sum) {
  const double sector = of_each * gpu.sector_bytes;
  const auto page_lines = static_cast<std::uint64_t>(gpu.page_bytes / gpu.line_bytes);
  std::unordered_map<std::uint64_t, std::uint32_t> pages;  // -> sampled lines
  double local = 0;
  sum.by_buffer.resize(buffers.size() + 1);
  sample.for_each([&](const LineSet::Entry& entry) {
    const double any =
        sector * std::popcount(static_cast<std::uint8_t>(entry.read | entry.written));
    if (Replay::is_local(entry.line)) {
      local += any;
      return;
    }
    for (UniqueBytes* its : {&sum.unique, &sum.by_buffer[buffer_of(buffers, entry.line, gpu)]}) {
      its->read += sector * std::popcount(entry.read);
      its->written += sector * std::popcount(entry.written);
      its->any += any;
    }
    ++pages[entry.line / std::max<std::uint64_t>(1, page_lines)];
  });
  sum.local_bytes = std::max(sum.local_bytes, local);
  // A page of m lines has a sampled line with probability 1 - (1 - 1/of_each)^m.
  for (const auto& [page, seen] : pages)
    sum.unique.pages += 1 / (1 - std::pow(1 - 1 / of_each, seen * of_each));
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

}  // namespace forewarp::memory
