// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/access_patterns.h"

#include <vector>

#include <gtest/gtest.h>

#include "execution/access/renumbering.h"

namespace forewarp::tests {
namespace {

AccessPatterns of_three() {
  AccessPatterns patterns(3);
  patterns.at(2).lanes = 7;
  patterns.at(1).lanes = 5;
  patterns.at(2).lines = 9;
  return patterns;
}

TEST(AccessPatterns, WhatWasNeverSetIsAsNew) {
  const AccessPatterns patterns = of_three();
  EXPECT_EQ(patterns[0], AccessPattern{});
  EXPECT_EQ(patterns[1].lanes, 5);
  EXPECT_EQ(patterns[2].lanes, 7);
  EXPECT_EQ(patterns[2].lines, 9);
  EXPECT_EQ(patterns, of_three());
  EXPECT_NE(patterns, AccessPatterns(3));
}

TEST(AccessPatterns, FollowTheInstructionsThatAreKept) {
  const AccessPatterns left = of_three().kept(execution::Renumbering(3, {false, true, false}));
  ASSERT_EQ(left.size(), 2);
  EXPECT_EQ(left[0], AccessPattern{});
  EXPECT_EQ(left[1].lanes, 7);
}

// Two patterns and the one of all others, and a number of 4 bytes for each instruction.
TEST(AccessPatterns, TakeRoomWhereTheyAreSet) {
  constexpr std::size_t instructions = 100'000;
  AccessPatterns patterns(instructions);
  patterns.at(5).lanes = patterns.at(70'000).lanes = 1;
  EXPECT_EQ(patterns.bytes(), instructions * 4 + 3 * sizeof(AccessPattern));
}

}  // namespace
}  // namespace forewarp::tests
