// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace forewarp::memory {

/// Touched lines with their sectors.
class LineSet {
 public:
  struct Entry {
    std::uint64_t line = 0;
    std::uint8_t read = 0, written = 0;  ///< sectors, one bit each
    [[nodiscard]] bool used() const { return (read | written) != 0; }
  };

  void add(std::uint64_t line, std::uint8_t read, std::uint8_t written) {
    if (2 * (count_ + 1) > table_.size()) grow();
    Entry& entry = place(line);
    if (!entry.used()) {
      entry.line = line;
      ++count_;
    }
    entry.read = static_cast<std::uint8_t>(entry.read | read);
    entry.written = static_cast<std::uint8_t>(entry.written | written);
  }
  void add(const LineSet& other) {
    other.for_each([&](const Entry& entry) { add(entry.line, entry.read, entry.written); });
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  /// Runs f(entry) for each line, in unspecified order.
  template <class F>
  void for_each(F f) const {
    for (const Entry& entry : table_) {
      if (entry.used()) f(entry);
    }
  }

 private:
  Entry& place(std::uint64_t line) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = static_cast<std::size_t>((line * 0x9e3779b97f4a7c15U) >> 20) & mask;
    while (table_[at].used() && table_[at].line != line) at = (at + 1) & mask;
    return table_[at];
  }
  void grow() {
    std::vector<Entry> before(table_.empty() ? 1024 : 2 * table_.size());
    before.swap(table_);
    for (const Entry& entry : before) {
      if (entry.used()) place(entry.line) = entry;
    }
  }

  std::vector<Entry> table_;
  std::size_t count_ = 0;
};

}  // namespace forewarp::memory
