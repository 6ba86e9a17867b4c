// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

// A table's first cell may be empty: it is a cell.
TEST(Join, SeparatesEmptyPartsToo) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"", "a", "", "b", ""}, "|"), "|a||b|");
}

}  // namespace
}  // namespace forewarp::tests
