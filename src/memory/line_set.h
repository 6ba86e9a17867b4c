// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace forewarp::memory {

/// Local memory gets line numbers beyond all addresses that a kernel can use.
inline constexpr std::uint64_t local_memory = std::uint64_t{1} << 62;
[[nodiscard]] inline bool is_local(std::uint64_t line) {
  return line >= local_memory;
}

/// Touched lines with their sectors. Neighbouring lines lie side by side, as most accesses go on
/// where the one before was.
class LineSet {
 public:
  struct Entry {
    std::uint64_t line = 0;
    std::uint8_t read = 0, written = 0;  ///< sectors, one bit each
  };
  struct Added {
    bool line = false;
    std::uint8_t sectors = 0, written = 0;
  };

  /// Returns what was not there before.
  Added add(std::uint64_t line, std::uint8_t read, std::uint8_t written) {
    if ((read | written) == 0) return {};
    if (2 * (count_ + 1) > table_.size()) grow();
    Group& group = place(line / lines_of_group);
    if (!group.used) {
      group.number = line / lines_of_group;
      group.used = true;
      ++count_;
    }
    Sectors& own = group.lines[line % lines_of_group];
    const Sectors before = own;
    own.read = static_cast<std::uint8_t>(own.read | read);
    own.written = static_cast<std::uint8_t>(own.written | written);
    return {(before.read | before.written) == 0,
            static_cast<std::uint8_t>((own.read | own.written) & ~(before.read | before.written)),
            static_cast<std::uint8_t>(own.written & ~before.written)};
  }
  void add(const LineSet& other) {
    other.for_each([&](const Entry& entry) { add(entry.line, entry.read, entry.written); });
  }
  /// Runs f(entry) for each line, in unspecified order.
  template <class F>
  void for_each(F f) const {
    for (const Group& group : table_) {
      if (!group.used) continue;
      for (std::uint64_t i = 0; i < lines_of_group; ++i) {
        const Sectors& own = group.lines[i];
        if ((own.read | own.written) != 0)
          f(Entry{group.number * lines_of_group + i, own.read, own.written});
      }
    }
  }

 private:
  static constexpr std::uint64_t lines_of_group = 8;
  struct Sectors {
    std::uint8_t read = 0, written = 0;
  };
  struct Group {
    std::uint64_t number = 0;
    std::array<Sectors, lines_of_group> lines{};
    bool used = false;
  };

  Group& place(std::uint64_t number) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = static_cast<std::size_t>((number * 0x9e3779b97f4a7c15U) >> 20) & mask;
    while (table_[at].used && table_[at].number != number) at = (at + 1) & mask;
    return table_[at];
  }
  void grow() {
    std::vector<Group> before(table_.empty() ? 256 : 2 * table_.size());
    before.swap(table_);
    for (const Group& group : before) {
      if (group.used) place(group.number) = group;
    }
  }

  std::vector<Group> table_;
  std::size_t count_ = 0;  ///< groups
};

}  // namespace forewarp::memory
