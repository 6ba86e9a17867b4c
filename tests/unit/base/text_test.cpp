// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

#include "base/counted.h"

namespace forewarp::tests {
namespace {

// A table's first cell may be empty: it is a cell.
TEST(Join, SeparatesEmptyPartsToo) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"", "a", "", "b", ""}, "|"), "|a||b|");
}

// Large numbers are written out, as people read them.
TEST(Significant, HasNoExponentUpToAMillionOfMillions) {
  EXPECT_EQ(significant(1006.4, 3), "1010");
  EXPECT_EQ(significant(999.7, 3), "1000");
  EXPECT_EQ(significant(2238123.5, 4), "2238000");
  EXPECT_EQ(significant(-19953.2, 3), "-20000");
  EXPECT_EQ(significant(2.5e14, 3), "250000000000000");
  EXPECT_EQ(significant(1.25e20, 3), "1.25e+20");
  EXPECT_EQ(significant(0.00001234, 3), "1.23e-05");
  EXPECT_EQ(significant(146.72, 4), "146.7");
}

TEST(Counted, SetsThousandsApart) {
  EXPECT_EQ(counted(1006.4, 3), "1,010");
  EXPECT_EQ(counted(999, 3), "999");
  EXPECT_EQ(counted(2238123.5, 4), "2.238 M");
  EXPECT_EQ(counted(2238123.5, 3), "2.24 M");
  EXPECT_EQ(counted(-3.5e9, 2), "-3.5 G");
  EXPECT_EQ(counted(-1234.5, 5), "-1,234.5");
  EXPECT_EQ(counted(123, 4), "123");
}

}  // namespace
}  // namespace forewarp::tests
