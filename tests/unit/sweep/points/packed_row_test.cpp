// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/points/packed_row.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(PackedRow, ReadsBackEveryCellBitForBit) {
  const TableRow row{0.1,  std::monostate{}, std::string("a\0b", 3),
                     -0.0, std::string(),    std::numeric_limits<double>::denorm_min()};
  const auto read = unpacked(packed(row));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, row);
  EXPECT_TRUE(std::signbit(std::get<double>((*read)[3])));
  EXPECT_EQ(unpacked(""), TableRow{});
}

TEST(PackedRow, BytesThatAreNoWholeRowAreNone) {
  const std::string bytes = packed({1.5, std::string("word")});
  // The number ends after 1 + 8 bytes: that much is a row of its own.
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_EQ(unpacked(bytes.substr(0, size)).has_value(), size == 9) << size;
  }
  EXPECT_FALSE(unpacked("\x03"));
}

}  // namespace
}  // namespace forewarp::tests
