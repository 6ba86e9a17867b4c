// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/long_parts.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using report::LongParts;

TEST(LongParts, HaveAShortNameEachAndStandOnceBelow) {
  LongParts parts;
  EXPECT_EQ(parts.shortened("246*(max(1, (n - 1)/blockDim.x + 1))*(blockDim.x/4) + 3"),
            "246*p1*(blockDim.x/4) + 3");
  EXPECT_EQ(parts.shortened("(max(1, (n - 1)/blockDim.x + 1))"), "p1");
  EXPECT_EQ(parts.shortened("2*((columns - threadIdx.x - 1)/64 + 1)"), "2*p2");
  EXPECT_EQ(parts.legend(),
            "p1 = max(1, (n - 1)/blockDim.x + 1), p2 = (columns - threadIdx.x - 1)/64 + 1");
}

// 24 characters stay: "(", 22 of them, ")".
TEST(LongParts, LeaveWhatIsShort) {
  LongParts parts;
  EXPECT_EQ(parts.shortened("2*(1234567890123456789012)"), "2*(1234567890123456789012)");
  EXPECT_EQ(parts.shortened("798 + 31*a"), "798 + 31*a");
  EXPECT_EQ(parts.shortened("2*(not closed, though it is long"),
            "2*(not closed, though it is long");
  EXPECT_EQ(parts.legend(), "");
  EXPECT_EQ(parts.shortened("2*(12345678901234567890123)"), "2*p1");
}

}  // namespace
}  // namespace forewarp::tests
