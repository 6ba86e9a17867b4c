// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace forewarp::memory {

/// A cache of lines with LRU replacement. Measured caches have no sharp limit: a line last used up
/// to `from` other lines ago is a hit, from `to` on a miss, and in between the hit rate falls
/// linearly. Which lines hit is drawn deterministically. Lines of a second kind may have their own
/// ramp in the same cache.
class RampCache {
 public:
  enum class Kind : std::uint8_t { usual, other };
  /// In lines used since.
  struct Ramp {
    double from = 0, to = 0;
  };
  struct Line {
    std::uint64_t number = 0;
    std::uint8_t valid = 0;  ///< sectors, one bit each
    std::uint8_t dirty = 0;
    std::uint8_t partial = 0;  ///< in L2: sectors of which one store has written a part
    bool from_memory = false;  ///< in L1: whether the last fetch came from device memory
    std::uint8_t visited = 0;  ///< in L2: sectors of the last visit of device memory
    std::uint8_t read_place = 0, write_place = 0;   ///< place units of that visit, and of writing
    std::uint32_t visit_turn = 0, visit = 0;        ///< of that visit, and its number
    std::uint32_t turn = 0;                         ///< of the last fetch
    std::uint32_t sm = 0;                           ///< SM of the last fetch
    std::uint32_t dirty_since = 0, part_since = 0;  ///< in L2: stamps of WaitingLines
  };
  /// A dirty line that was evicted.
  struct Left {
    std::uint64_t number = 0;
    std::uint8_t dirty = 0;
    bool dirty_waited = false, part_waited = false;  ///< it had such a stamp
  };

  /// Share of lines that are evicted after `lines` others were used.
  [[nodiscard]] static double lost_after(double lines, Ramp ramp);

  RampCache(double from_lines, double to_lines, std::uint64_t seed);
  RampCache(Ramp usual, Ramp other, std::uint64_t seed);

  /// Finds a line and makes it the most recent; null if it is not there. `left` receives a dirty
  /// line that had to be evicted.
  Line* find(std::uint64_t number, Left& left, Kind kind = Kind::usual);
  /// A line as it is, or null; nothing changes.
  [[nodiscard]] Line* peek(std::uint64_t number);
  /// Inserts a line that is not there, without valid sectors.
  Line& insert(std::uint64_t number, Left& left);
  void drop(std::uint64_t number);
  void clear();

  [[nodiscard]] bool full() const { return filled_; }
  [[nodiscard]] std::uint64_t size() const { return used_; }
  /// Dirty sectors of all lines.
  [[nodiscard]] std::uint64_t dirty_sectors() const;

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  struct Node {
    Line line;
    std::uint8_t segment = 0;
    std::uint32_t newer = none, older = none;
  };
  /// Lines by recency: up to `capacity` per segment, of which `hit` / 2^32 are hits.
  struct Segment {
    std::uint32_t capacity = 0, count = 0;
    std::uint32_t oldest = none;
    std::array<std::uint64_t, 2> hit{};  ///< by kind
  };

  void make_table(std::uint32_t lines);
  [[nodiscard]] std::size_t slot_of(std::uint64_t number) const;
  [[nodiscard]] std::uint32_t lookup(std::uint64_t number) const;
  void forget(std::uint64_t number);
  void unlink(std::uint32_t at);
  void push_front(std::uint32_t at);
  void settle(Left& left);
  [[nodiscard]] std::uint64_t draw();
  [[nodiscard]] static Left leaving(const Line& line);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> table_;  ///< open addressing: index of the node
  std::uint32_t shift_ = 0;           ///< of the hash, for the table's size
  std::vector<Segment> segments_;
  std::uint32_t newest_ = none;
  std::uint64_t used_ = 0;
  std::uint64_t random_;
  bool filled_ = false;
};

}  // namespace forewarp::memory
