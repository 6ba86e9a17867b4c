// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/content_pages.h"

#include <algorithm>
#include <utility>

#include "execution/storage/buffer_content.h"
#include "execution/storage/memory_page.h"

namespace forewarp::execution {

void ContentPages::fill(const ExecutionBuffer& buffer, std::uint64_t offset,
                        std::span<std::uint8_t> out) {
  const BufferContent& content = buffer.content;
  if (content.kind != BufferContent::Kind::random || out.empty())
    return buffer_content(buffer, offset, out);
  Key key{offset, out.size(), content.seed, content.low, content.high, content.type};
  Part& part = parts_[offset / MemoryPage::bytes % parts];
  const std::vector<std::uint8_t>* kept = nullptr;
  {
    const std::lock_guard lock(part.mutex);
    if (const auto known = part.pages.find(key); known != part.pages.end()) kept = &known->second;
  }
  if (kept != nullptr) {
    std::copy(kept->begin(), kept->end(), out.begin());
    return;
  }
  buffer_content(buffer, offset, out);
  const std::lock_guard lock(part.mutex);
  if (part.bytes + out.size() > most_bytes / parts) return;
  const bool added =
      part.pages.try_emplace(std::move(key), std::vector<std::uint8_t>(out.begin(), out.end()))
          .second;
  if (added) part.bytes += out.size();
}

}  // namespace forewarp::execution
