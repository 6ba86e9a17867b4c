// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/sureness.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(Sureness, FollowsFromTheIntervals) {
  EXPECT_EQ(sureness({10, 8, 12}, {5, 4, 7.9}), "clear");
  EXPECT_EQ(sureness({10, 8, 12}, {7, 6, 9}), "likely");   // 7 lies below 8, and 9 below 10
  EXPECT_EQ(sureness({10, 9, 12}, {8, 6, 11}), "likely");  // 8 lies below 9
  EXPECT_EQ(sureness({10, 5, 12}, {8, 6, 9}), "likely");   // 9 lies below 10
  EXPECT_EQ(sureness({10, 5, 12}, {9, 8, 11}), "uncertain");
}

TEST(Sureness, IsNotSaidWithoutAnInterval) {
  EXPECT_EQ(sureness({10, 10, 10}, {5, 4, 7.9}), "");
  EXPECT_EQ(sureness({10, 8, 12}, {5, 5, 5}), "");
}

TEST(Sureness, OfARunThatGrewIsTheSame) {
  EXPECT_EQ(sureness({5, 4, 7.9}, {10, 8, 12}), "clear");
  EXPECT_EQ(sureness({8, 6, 11}, {10, 9, 12}), "likely");
}

}  // namespace
}  // namespace forewarp::tests
