// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/text/count_text.h"

#include <gtest/gtest.h>

#include "request/argument_text.h"
#include "request/option_text.h"

namespace forewarp::tests {
namespace {

TEST(CountText, UnitsArePowersOf1024) {
  EXPECT_EQ(parse_count("4096"), 4096U);
  EXPECT_EQ(parse_count("0x1000"), 4096U);
  EXPECT_EQ(parse_count("3k"), 3U * 1024);
  EXPECT_EQ(parse_count("16M"), 16777216U);  // 16 * 1024 * 1024
  EXPECT_EQ(parse_count("64MB"), 67108864U);
  EXPECT_EQ(parse_count("64MiB"), 67108864U);
  EXPECT_EQ(parse_count("2G"), 2147483648U);
  EXPECT_EQ(parse_count("1T"), 1099511627776U);
  EXPECT_EQ(parse_count("12B"), 12U);
}

TEST(CountText, ProductsAndShifts) {
  EXPECT_EQ(parse_count("1<<20"), 1048576U);
  EXPECT_EQ(parse_count("3 << 4"), 48U);
  EXPECT_EQ(parse_count("1024*1024*4"), 4194304U);
  EXPECT_EQ(parse_count("2*3K<<1"), 12288U);  // 2 * 3 * 1024 * 2
}

TEST(CountText, NothingElse) {
  for (const char* text :
       {"", "M", "B", "1.5M", "-1", "16m", "16X", "16MM", "16iB", "1<<", "<<2", "1<<64", "1*",
        "1<<1<<1", "1e6", "16777216T", "18446744073709551616", "4294967296*4294967296"}) {
    EXPECT_FALSE(parse_count(text)) << text;
  }
  EXPECT_EQ(parse_count("1<<63"), 9223372036854775808U);
}

TEST(CountText, StandsWhereSizesDo) {
  EXPECT_EQ(parse_argument("n=16M")->value.integer, 16777216);
  EXPECT_EQ(parse_argument("n=-1<<4")->value.integer, -16);
  EXPECT_EQ(parse_argument("x=buffer:64MB:zeros")->value.buffer_bytes, 67108864U);
  EXPECT_EQ((*parse_extent("64K,2", "--grid"))[0], 65536U);
}

}  // namespace
}  // namespace forewarp::tests
