// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/content_pages.h"

#include <bit>
#include <cstring>
#include <functional>
#include <string>

#include "execution/global_memory.h"

namespace forewarp {
namespace {

/// Tells apart what random buffers hold, and pieces of them.
std::uint64_t mark_of(const ExecutionBuffer& buffer, std::uint64_t offset, std::size_t bytes) {
  const BufferContent& content = buffer.content;
  std::uint64_t mark = std::hash<std::string>()(content.type);
  for (const std::uint64_t part :
       {content.seed, std::bit_cast<std::uint64_t>(content.low),
        std::bit_cast<std::uint64_t>(content.high), offset, static_cast<std::uint64_t>(bytes)}) {
    mark = (mark ^ part) * 0x9e3779b97f4a7c15U;
    mark ^= mark >> 29;
  }
  return mark;
}

}  // namespace

void ContentPages::fill(const ExecutionBuffer& buffer, std::uint64_t offset,
                        std::span<std::uint8_t> out) {
  if (buffer.content.kind != BufferContent::Kind::random || out.empty())
    return buffer_content(buffer, offset, out);
  const std::uint64_t mark = mark_of(buffer, offset, out.size());
  Part& part = parts_[mark % parts];
  {
    const std::lock_guard lock(part.mutex);
    if (const auto known = part.pages.find(mark); known != part.pages.end()) {
      std::memcpy(out.data(), known->second.get(), out.size());
      return;
    }
  }
  buffer_content(buffer, offset, out);
  const std::lock_guard lock(part.mutex);
  if (part.bytes + out.size() > most_bytes / parts) return;
  const auto [place, added] = part.pages.try_emplace(mark);
  if (!added) return;
  place->second = std::make_unique<std::uint8_t[]>(out.size());
  std::memcpy(place->second.get(), out.data(), out.size());
  part.bytes += out.size();
}

}  // namespace forewarp
