// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/boards/board_prices.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::string refusal(std::string_view csv) {
  const auto prices = parse_prices(csv, "p.csv");
  return prices ? "read" : prices.error().line();
}

TEST(BoardPrices, TwoColumnsAmongOthers) {
  const auto prices =
      parse_prices("price_per_hour,cloud,gpu\n0.35,a,t4\n1.5,b, RTX 3090 \n", "p.csv");
  ASSERT_TRUE(prices) << prices.error().line();
  ASSERT_EQ(prices->size(), 2U);
  EXPECT_EQ(prices->front().gpu, "t4");
  EXPECT_EQ(prices->front().per_hour, 0.35);
  EXPECT_EQ(prices->back().gpu, "RTX 3090");
  EXPECT_EQ(prices->back().place, "p.csv row 2");
}

TEST(BoardPrices, Refusals) {
  EXPECT_EQ(refusal("gpu,price\nt4,1\n"),
            "p.csv: has no column 'price_per_hour'; expected gpu and price_per_hour among gpu, "
            "price; see docs/gpus.md");
  EXPECT_EQ(refusal("id,price_per_hour\nt4,1\n"),
            "p.csv: has no column 'gpu'; expected gpu and price_per_hour among id, "
            "price_per_hour; see docs/gpus.md");
  EXPECT_EQ(refusal("gpu,price_per_hour\nt4,cheap\n"),
            "p.csv row 1: 'cheap' is no price; expected a number from 0 on");
  EXPECT_EQ(refusal("gpu,price_per_hour\nt4,-1\n"),
            "p.csv row 1: '-1' is no price; expected a number from 0 on");
  EXPECT_EQ(refusal("gpu,price_per_hour\n,1\n"),
            "p.csv row 1: names no GPU; expected an id or a name");
  EXPECT_EQ(refusal("gpu,price_per_hour\n"), "p.csv: has no price; expected a row for each GPU");
}

}  // namespace
}  // namespace forewarp::tests
