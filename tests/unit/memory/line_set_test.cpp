// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/line_set.h"

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using memory::LineSet;
using Sectors = std::pair<std::uint8_t, std::uint8_t>;  // read, written

std::map<std::uint64_t, Sectors> lines_of(const LineSet& set) {
  std::map<std::uint64_t, Sectors> found;
  set.for_each([&](const LineSet::Entry& entry) {
    EXPECT_TRUE(found.try_emplace(entry.line, entry.read, entry.written).second) << entry.line;
  });
  return found;
}

// Runs of neighbours, lines far apart and line 0: each once, with all its sectors.
TEST(LineSet, HoldsEachLineOnceWithAllItsSectors) {
  std::minstd_rand chance(7);
  LineSet set;
  std::map<std::uint64_t, Sectors> expected;
  const auto add = [&](std::uint64_t line, std::uint8_t read, std::uint8_t written) {
    set.add(line, read, written);
    if ((read | written) == 0) return;
    Sectors& own = expected[line];
    own.first = static_cast<std::uint8_t>(own.first | read);
    own.second = static_cast<std::uint8_t>(own.second | written);
  };
  add(0, 0, 1);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t first = std::uint64_t{chance()} << (chance() % 24);
    const std::uint64_t run = chance() % 20;
    for (std::uint64_t line = first; line < first + run; ++line) {
      add(line, static_cast<std::uint8_t>(chance() % 16), static_cast<std::uint8_t>(chance() % 16));
    }
  }
  EXPECT_EQ(lines_of(set), expected);
}

TEST(LineSet, SaysWhatIsNew) {
  LineSet set;
  const auto added = [&](std::uint8_t read, std::uint8_t written) {
    const LineSet::Added its = set.add(9, read, written);
    return std::vector<unsigned>{its.line ? 1U : 0U, its.sectors, its.written};
  };
  EXPECT_EQ(added(0, 0), (std::vector<unsigned>{0, 0, 0}));
  EXPECT_EQ(added(3, 0), (std::vector<unsigned>{1, 3, 0}));
  EXPECT_EQ(added(2, 6), (std::vector<unsigned>{0, 4, 6}));  // sector 1 is written, it was read
  EXPECT_EQ(added(7, 7), (std::vector<unsigned>{0, 0, 1}));
}

TEST(LineSet, JoinsAnotherSet) {
  LineSet one, other;
  one.add(9, 1, 0);
  one.add(10, 2, 0);
  other.add(10, 1, 8);
  other.add(80, 0, 4);
  one.add(other);
  EXPECT_EQ(lines_of(one),
            (std::map<std::uint64_t, Sectors>{{9, {1, 0}}, {10, {3, 8}}, {80, {0, 4}}}));
}

}  // namespace
}  // namespace forewarp::tests
