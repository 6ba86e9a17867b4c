// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/mixed.h"
#include "execution/order/order_record.h"
#include "execution/state/memory_access.h"
#include "execution/state/warp.h"
#include "execution/storage/global_memory.h"

namespace forewarp::execution {

/// The waits that led to a warp's present time.
struct WaitChain {
  std::uint64_t edges = 0;
  double handed = 0, queued = 0;
  std::uint32_t instruction = OrderRecord::nowhere;
};

/// What is known of words that were accessed a short time ago: a word has a few places, and where
/// all are taken the one of the earliest time is given up. `at` of a T: that time.
template <class T>
class WordTable {
 public:
  /// Of a word that is not there: as new.
  T& at(std::uint64_t word) {
    Entry* const first = &entries_[first_of(word)];
    Entry* oldest = first;
    for (Entry* entry = first; entry != first + ways; ++entry) {
      if (entry->word == word) return entry->value;
      if (entry->value.at < oldest->value.at) oldest = entry;
    }
    *oldest = {word, T{}};
    return oldest->value;
  }
  /// Null: it is not there.
  [[nodiscard]] const T* find(std::uint64_t word) const {
    const Entry* const first = &entries_[first_of(word)];
    for (const Entry* entry = first; entry != first + ways; ++entry) {
      if (entry->word == word) return &entry->value;
    }
    return nullptr;
  }

 private:
  static constexpr unsigned bits = 13, ways = 4;
  struct Entry {
    std::uint64_t word = ~std::uint64_t{0};
    T value{};
  };
  static std::size_t first_of(std::uint64_t word) {
    return ways * (base::mixed(word) >> (64 - bits));
  }

  std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{ways} << bits);
};

/// The words of global memory that blocks share: what they hold, who wrote each last and until when
/// atomics occupy it. Times are those of the caller's clock.
class SharedWords {
 public:
  struct Writer {
    double at = 0;
    std::uint64_t block = 0;
    WaitChain chain;
  };

  explicit SharedWords(GlobalMemory& memory) : memory_(memory) {}

  /// What four bytes hold; 0 outside of every buffer.
  [[nodiscard]] std::uint32_t value_at(std::uint64_t address);
  /// Whether an access other than a load has changed memory; an atomic may have left it as it was.
  [[nodiscard]] bool changed_by(const Warp& warp, const MicroOp& op, const MemoryAccess& access);
  /// How long an atomic of a warp waits from `now` on until those before it on the same word are
  /// done; it occupies each of its words for `each` itself.
  double queue_up(const MemoryAccess& access, double now, double each);

  /// Words of all that queued up, beyond the first of each.
  [[nodiscard]] std::uint64_t queued() const { return queued_; }

  void wrote(const MemoryAccess& access, const Writer& writer);
  /// Null: nobody wrote it lately.
  [[nodiscard]] const Writer* writer_of(std::uint64_t word) const;

  /// Calls f(address) for every word of the access.
  template <class F>
  static void for_each_of(const MemoryAccess& access, F f) {
    std::uint64_t last = ~std::uint64_t{0};
    for (unsigned i = 0; i < lane_count; ++i) {
      if (!has_lane(access.lanes, i) || access.address[i] == last) continue;
      last = access.address[i];
      const std::uint64_t first = last & ~std::uint64_t{3};
      for (std::uint64_t word = first; word < last + access.bytes; word += 4) f(word);
    }
  }

 private:
  GlobalMemory& memory_;
  struct Occupied {
    double at = 0;  ///< until when atomics occupy it
  };
  WordTable<Occupied> free_;
  std::uint64_t queued_ = 0;
  WordTable<Writer> writers_;
};

}  // namespace forewarp::execution
