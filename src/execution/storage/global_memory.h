// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "execution/storage/execution_input.h"
#include "execution/storage/memory_page.h"

namespace forewarp::execution {

class ContentPages;

/// How a launch uses a buffer, as bits.
namespace buffer_use {
inline constexpr std::uint8_t read = 1, written = 2, both = read | written;
}  // namespace buffer_use

/// Global memory as one group of blocks sees it: the launch's buffers plus the group's own writes.
/// A page is created when it is first written, or read and not like all others of its buffer, from
/// the declared content of its buffer.
class GlobalMemory {
 public:
  /// `content`: keeps initial page contents for other groups that touch them; may be null.
  /// `in_place`: all buffers have a place, and are read and written there; there are no pages.
  explicit GlobalMemory(std::span<const ExecutionBuffer> buffers, std::uint64_t most_bytes,
                        ContentPages* content = nullptr, bool in_place = false);

  static constexpr std::uint32_t no_buffer = 0xffffffffU;
  /// The buffer that contains all of [address, address + bytes), or no_buffer. Tries `hint` first.
  [[nodiscard]] std::uint32_t buffer_of(std::uint64_t address, std::uint64_t bytes,
                                        std::uint32_t hint = 0) const;
  [[nodiscard]] const ExecutionBuffer& buffer(std::uint32_t index) const {
    return *buffers_[index];
  }
  [[nodiscard]] std::size_t buffer_count() const { return buffers_.size(); }

  /// The page of an address. One that is only read may be shared by all pages of a buffer that
  /// nobody wrote and that hold the same, and holds another page's bytes after as many further
  /// calls as a warp has lanes. Once the memory limit is reached, further pages share one
  /// whose bytes are unknown at each call: what is stored there is forgotten.
  [[nodiscard]] MemoryPage* page(std::uint64_t address, std::uint8_t use = buffer_use::both) {
    const std::uint64_t number = address / MemoryPage::bytes;
    CacheLine& line = cache_[number % cache_.size()];
    if (line.number == number && (line.own || use == buffer_use::read)) return line.page;
    return slow_page(number, use);
  }

  /// Whether nobody wrote the page of an address, all of whose bytes are unknown: what becomes of
  /// unknown bytes there need not be kept.
  [[nodiscard]] bool is_unwritten_unknown(std::uint64_t address);

  [[nodiscard]] bool in_place() const { return in_place_; }
  /// In place: an unknown value was stored, so that what is there is not what the kernel writes.
  void lose() { lost_ = true; }
  [[nodiscard]] bool lost() const { return lost_; }
  /// In place: how each buffer was used, by index.
  void touch(std::uint32_t buffer, std::uint8_t use) { uses_[buffer] |= use; }
  [[nodiscard]] std::uint8_t use_of(std::uint32_t buffer) const { return uses_[buffer]; }

  /// Whether the memory limit was reached.
  [[nodiscard]] bool forgets() const { return beyond_ != nullptr; }

  /// Frees all pages.
  void forget();
  /// Applies the writes of `later` on top of its own.
  void merge(const GlobalMemory& later);
  /// Copies bytes out; false if one is unknown or outside all buffers.
  bool read(std::uint64_t address, std::span<std::uint8_t> bytes);

 private:
  struct CacheLine {
    std::uint64_t number = ~std::uint64_t{0};
    MemoryPage* page = nullptr;
    bool own = false;  ///< of this address alone
  };
  MemoryPage* slow_page(std::uint64_t number, std::uint8_t use);
  [[nodiscard]] MemoryPage* shared_page(std::uint64_t number);
  [[nodiscard]] std::uint32_t followed_buffer(std::uint64_t number) const;
  [[nodiscard]] std::vector<bool>::reference read_once(std::uint32_t buffer, std::uint64_t number);
  [[nodiscard]] MemoryPage* passing_page(std::uint64_t number);
  [[nodiscard]] std::size_t slot_of(std::uint64_t number) const;
  void grow();
  void note_forgotten(std::uint64_t number);
  void fill(MemoryPage& page, std::uint64_t number) const;

  std::vector<const ExecutionBuffer*> buffers_;  ///< by address
  struct OwnPage {
    std::uint64_t number = 0;
    std::unique_ptr<MemoryPage> page;  ///< null: the slot is free
  };
  std::vector<OwnPage> table_;                       ///< open addressing
  std::size_t pages_ = 0;                            ///< in table_
  std::vector<std::unique_ptr<MemoryPage>> shared_;  ///< by buffer; null: not asked for
  /// Whoever follows pointers seldom comes to a page twice: one is kept from its second use on.
  std::vector<std::vector<bool>> read_once_;          ///< by buffer and page
  std::uint64_t passed_ = 0;                          ///< pages that were read once
  std::vector<std::unique_ptr<MemoryPage>> passing_;  ///< the latest of these, in turn
  std::size_t next_passing_ = 0;
  std::vector<std::uint8_t> forgotten_;  ///< by buffer: something stored to it was
  std::array<CacheLine, 256> cache_{};
  std::uint64_t most_pages_;
  std::unique_ptr<MemoryPage> beyond_;  ///< stands for all pages over the limit
  ContentPages* content_;
  bool in_place_, lost_ = false;
  std::vector<std::uint8_t> uses_;
};

}  // namespace forewarp::execution
