// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/global_memory.h"

#include <algorithm>
#include <cstring>

#include "execution/storage/buffer_content.h"
#include "execution/storage/content_pages.h"

namespace forewarp::execution {

GlobalMemory::GlobalMemory(std::span<const ExecutionBuffer> buffers, std::uint64_t most_bytes,
                           ContentPages* content, bool in_place)
    : most_pages_(std::max<std::uint64_t>(1, most_bytes / sizeof(MemoryPage))),
      content_(content),
      in_place_(in_place) {
  for (const ExecutionBuffer& buffer : buffers) buffers_.push_back(&buffer);
  std::stable_sort(buffers_.begin(), buffers_.end(),
                   [](const auto* a, const auto* b) { return a->address < b->address; });
  uses_.assign(buffers_.size(), 0);
  shared_.resize(buffers_.size());
  read_once_.resize(buffers_.size());
  forgotten_.assign(buffers_.size(), 0);
}

std::uint32_t GlobalMemory::buffer_of(std::uint64_t address, std::uint64_t bytes,
                                      std::uint32_t hint) const {
  const auto holds = [&](const ExecutionBuffer& b) {
    return address >= b.address && address - b.address <= b.bytes &&
           bytes <= b.bytes - (address - b.address);
  };
  if (hint < buffers_.size() && holds(*buffers_[hint])) return hint;
  const auto after =
      std::upper_bound(buffers_.begin(), buffers_.end(), address,
                       [](std::uint64_t at, const auto* b) { return at < b->address; });
  if (after == buffers_.begin()) return no_buffer;
  const auto index = static_cast<std::uint32_t>(after - buffers_.begin() - 1);
  return holds(*buffers_[index]) ? index : no_buffer;
}

void GlobalMemory::fill(MemoryPage& page, std::uint64_t number) const {
  const std::uint64_t begin = number * MemoryPage::bytes, end = begin + MemoryPage::bytes;
  for (const ExecutionBuffer* buffer : buffers_) {
    const std::uint64_t first = std::max(begin, buffer->address);
    const std::uint64_t last = std::min(end, buffer->address + buffer->bytes);
    if (first >= last) continue;
    const auto offset = static_cast<std::uint32_t>(first - begin);
    const auto count = static_cast<std::uint32_t>(last - first);
    if (buffer->place != nullptr) {
      std::memcpy(page.data.data() + offset, buffer->place + (first - buffer->address), count);
      continue;
    }
    if (buffer->ordinary) {
      const OrdinaryPage& numbers = ordinary_page(buffer->content);
      std::copy_n(numbers.begin() + offset, count, page.data.begin() + offset);
      continue;
    }
    if (buffer->content.kind == BufferContent::Kind::unknown) {
      page.fill_unknown(offset, count);
      continue;
    }
    const auto out = std::span(page.data).subspan(offset, count);
    if (content_ != nullptr) {
      content_->fill(*buffer, first - buffer->address, out);
    } else {
      buffer_content(*buffer, first - buffer->address, out);
    }
  }
}

/// The slot that has this page, or the free one where it belongs.
std::size_t GlobalMemory::slot_of(std::uint64_t number) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = (number * 0x9e3779b97f4a7c15U) >> 32 & mask;
  while (table_[slot].page != nullptr && table_[slot].number != number) slot = (slot + 1) & mask;
  return slot;
}

void GlobalMemory::grow() {
  constexpr std::size_t fewest = 64;
  std::vector<OwnPage> before(std::max(fewest, 2 * table_.size()));
  before.swap(table_);
  for (OwnPage& own : before) {
    if (own.page != nullptr) table_[slot_of(own.number)] = std::move(own);
  }
}

/// From now on a page of its buffers that is not there may have been written.
void GlobalMemory::note_forgotten(std::uint64_t number) {
  const std::uint64_t begin = number * MemoryPage::bytes, end = begin + MemoryPage::bytes;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const ExecutionBuffer& buffer = *buffers_[i];
    if (forgotten_[i] != 0 || end <= buffer.address || begin >= buffer.address + buffer.bytes)
      continue;
    forgotten_[i] = 1;
    cache_.fill(CacheLine{});
  }
}

/// The page that stands for all pages of a buffer that nobody wrote; null: they differ, or this one
/// is not wholly the buffer's.
MemoryPage* GlobalMemory::shared_page(std::uint64_t number) {
  const std::uint32_t at = buffer_of(number * MemoryPage::bytes, MemoryPage::bytes);
  if (at == no_buffer) return nullptr;
  const ExecutionBuffer& buffer = *buffers_[at];
  const bool alike = buffer.ordinary || buffer.content.kind == BufferContent::Kind::unknown ||
                     buffer.content.kind == BufferContent::Kind::zeros;
  if (!alike || buffer.place != nullptr || forgotten_[at] != 0) return nullptr;
  if (shared_[at] == nullptr) {
    shared_[at] = std::make_unique<MemoryPage>();
    fill(*shared_[at], number);
  }
  return shared_[at].get();
}

/// The buffer of pointers that a page is wholly part of, or no_buffer.
std::uint32_t GlobalMemory::followed_buffer(std::uint64_t number) const {
  const std::uint32_t at = buffer_of(number * MemoryPage::bytes, MemoryPage::bytes);
  if (at == no_buffer || buffers_[at]->place != nullptr || buffers_[at]->ordinary) return no_buffer;
  const BufferContent::Kind kind = buffers_[at]->content.kind;
  const bool follows = kind == BufferContent::Kind::pointers || kind == BufferContent::Kind::chain;
  return follows ? at : no_buffer;
}

std::vector<bool>::reference GlobalMemory::read_once(std::uint32_t buffer, std::uint64_t number) {
  std::vector<bool>& pages = read_once_[buffer];
  if (pages.empty()) pages.resize(buffers_[buffer]->bytes / MemoryPage::bytes + 1);
  return pages[number - buffers_[buffer]->address / MemoryPage::bytes];
}

/// A page that nobody wrote, for a short time.
MemoryPage* GlobalMemory::passing_page(std::uint64_t number) {
  constexpr std::size_t most = 64;  // more than the lanes of a warp
  if (passing_.size() < most) {
    next_passing_ = passing_.size();
    passing_.push_back(std::make_unique<MemoryPage>());
  } else {
    next_passing_ = (next_passing_ + 1) % most;
  }
  MemoryPage& page = *passing_[next_passing_];
  fill(page, number);
  return &page;
}

bool GlobalMemory::is_unwritten_unknown(std::uint64_t address) {
  const std::uint64_t number = address / MemoryPage::bytes;
  const MemoryPage* seen = page(address, buffer_use::read);
  const CacheLine& line = cache_[number % cache_.size()];
  return line.number == number && !line.own && seen->any_unknown;
}

MemoryPage* GlobalMemory::slow_page(std::uint64_t number, std::uint8_t use) {
  if (2 * pages_ >= table_.size()) grow();
  OwnPage& place = table_[slot_of(number)];
  CacheLine& line = cache_[number % cache_.size()];
  if (place.page == nullptr) {
    MemoryPage* shared = use == buffer_use::read ? shared_page(number) : nullptr;
    if (shared != nullptr) {
      line = {number, shared, false};
      return shared;
    }
    const std::uint32_t followed = followed_buffer(number);
    const bool again = followed != no_buffer && read_once(followed, number);
    if (!again && pages_ + passed_ >= most_pages_) {
      if (beyond_ == nullptr) beyond_ = std::make_unique<MemoryPage>();
      if (use != buffer_use::read) note_forgotten(number);
      beyond_->fill_unknown(0, MemoryPage::bytes);
      return beyond_.get();
    }
    if (again) {
      read_once(followed, number) = false;
      --passed_;
    } else if (followed != no_buffer && use == buffer_use::read) {
      read_once(followed, number) = true;
      ++passed_;
      return passing_page(number);
    }
    place = {number, std::make_unique<MemoryPage>()};
    ++pages_;
    fill(*place.page, number);
  }
  line = {number, place.page.get(), true};
  return line.page;
}

void GlobalMemory::forget() {
  pages_ = passed_ = 0;
  for (auto& pages : read_once_) pages.clear();
  table_.clear();
  for (auto& page : shared_) page.reset();
  cache_.fill(CacheLine{});
}

void GlobalMemory::merge(const GlobalMemory& later) {
  for (const auto& [number, from] : later.table_) {
    if (from == nullptr || !from->any_written) continue;
    MemoryPage* to = page(number * MemoryPage::bytes);
    for (std::uint32_t i = 0; i < MemoryPage::bytes; ++i) {
      if ((from->written[i / 64] >> (i % 64) & 1U) == 0) continue;
      to->data[i] = from->data[i];
      to->mark_unknown(i, 1, from->is_unknown(i, 1));
      to->set_written(i, 1);
    }
  }
}

bool GlobalMemory::read(std::uint64_t address, std::span<std::uint8_t> bytes) {
  if (buffer_of(address, bytes.size()) == no_buffer) return false;
  bool known = true;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const MemoryPage* from = page(address + i, buffer_use::read);
    const auto offset = static_cast<std::uint32_t>((address + i) % MemoryPage::bytes);
    bytes[i] = from->data[offset];
    known = known && !from->is_unknown(offset, 1);
  }
  return known;
}

}  // namespace forewarp::execution
