// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/buffer_footprint.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

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

Touched touched_by(const LineSet& sample, double of_each, const std::vector<BufferRange>& buffers,
                   const Gpu& gpu) {
  struct Page {
    std::size_t buffer = 0;
    std::uint32_t lines = 0;
  };
  const double sector = of_each * gpu.sector_bytes;
  const auto page_lines = static_cast<std::uint64_t>(gpu.page_bytes / gpu.line_bytes);
  std::unordered_map<std::uint64_t, Page> pages;
  Touched sum;
  sum.by_buffer.resize(buffers.size() + 1);
  sample.for_each([&](const LineSet::Entry& entry) {
    if (is_local(entry.line)) return;
    const std::size_t buffer = buffer_of(buffers, entry.line, gpu);
    for (UniqueBytes* its : {&sum.unique, &sum.by_buffer[buffer]}) {
      its->read += sector * std::popcount(entry.read);
      its->written += sector * std::popcount(entry.written);
      its->any += sector * std::popcount(static_cast<std::uint8_t>(entry.read | entry.written));
    }
    Page& page = pages[entry.line / std::max<std::uint64_t>(1, page_lines)];
    page.buffer = buffer;
    ++page.lines;
  });
  // A page of m lines has a sampled line with probability 1 - (1 - 1/of_each)^m.
  for (const auto& [number, page] : pages) {
    const double like_it = 1 / (1 - std::pow(1 - 1 / of_each, page.lines * of_each));
    sum.unique.pages += like_it;
    sum.by_buffer[page.buffer].pages += like_it;
  }
  return sum;
}

double local_bytes_of(const LineSet& sample, double of_each, const Gpu& gpu) {
  double sectors = 0;
  sample.for_each([&](const LineSet::Entry& entry) {
    if (is_local(entry.line))
      sectors += std::popcount(static_cast<std::uint8_t>(entry.read | entry.written));
  });
  return sectors * of_each * gpu.sector_bytes;
}

std::vector<double> growth_of(const Touched& some, double share, const Touched& all, double times) {
  std::vector<double> growth;
  for (std::size_t i = 0; i < all.by_buffer.size(); ++i) {
    const double before = some.by_buffer[i].any, now = all.by_buffer[i].any;
    double power = 1;
    if (share > 0 && share < 1 && before > 0)
      power = std::clamp(std::log(now / before) / -std::log(share), 0.0, 1.0);
    growth.push_back(std::pow(std::max(1.0, times), power));
  }
  return growth;
}

Touched grown_in_buffers(const std::vector<BufferRange>& buffers,
                         const std::vector<UniqueBytes>& touched, const std::vector<double>& times,
                         const Gpu& gpu) {
  const auto whole = [](double bytes, double unit) { return std::ceil(bytes / unit) * unit; };
  Touched sum;
  for (std::size_t i = 0; i < touched.size(); ++i) {
    const double bytes = i < buffers.size() ? static_cast<double>(buffers[i].bytes)
                                            : std::numeric_limits<double>::infinity();
    const double most = whole(bytes, gpu.sector_bytes);
    // A buffer that begins within a page reaches into one more.
    const double most_pages = gpu.page_bytes > 0 ? std::ceil(bytes / gpu.page_bytes) + 1 : 0;
    const UniqueBytes& its = sum.by_buffer.emplace_back(UniqueBytes{
        std::min(most, times[i] * touched[i].read), std::min(most, times[i] * touched[i].written),
        std::min(most, times[i] * touched[i].any),
        std::min(std::max(most_pages, touched[i].pages), times[i] * touched[i].pages)});
    sum.unique.read += its.read;
    sum.unique.written += its.written;
    sum.unique.any += its.any;
    sum.unique.pages += its.pages;
  }
  return sum;
}

}  // namespace forewarp::memory
