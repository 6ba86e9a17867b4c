// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/quantity.h"

#include <limits>

#include <gtest/gtest.h>

namespace forewarp::report {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
constexpr double endless = std::numeric_limits<double>::infinity();

TEST(Quantity, FiguresHaveFourSignificantDigits) {
  EXPECT_EQ(figure(134.5), "134.5");
  EXPECT_EQ(figure(3), "3.000");
  EXPECT_EQ(figure(0.0223), "0.02230");
  EXPECT_EQ(figure(15024.04), "15024");
  EXPECT_EQ(figure(-1.5, 3), "-1.50");
  EXPECT_EQ(figure(1e-9), "1.000e-09");
}

TEST(Quantity, TheUnitFollowsTheValue) {
  EXPECT_EQ(duration(146.6549), "146.7 ms");
  EXPECT_EQ(duration(0.39127), "391.3 us");
  EXPECT_EQ(duration(2.5e-5), "25.00 ns");
  EXPECT_EQ(duration(1500), "1.500 s");
  EXPECT_EQ(duration(7.2e6), "2.000 h");
  EXPECT_EQ(bytes(3.2e9), "3.200 GB");
  EXPECT_EQ(bytes(48), "48 bytes");
  EXPECT_EQ(clock(1253), "1.253 GHz");
  EXPECT_EQ(clock(575), "575 MHz");
}

// 999.96 us rounds to 1000.0 us in four digits: it must be told as 1.000 ms.
TEST(Quantity, TheUnitIsTheOneOfTheRoundedValue) {
  EXPECT_EQ(duration(0.99996), "1.000 ms");
  EXPECT_EQ(duration(0.99994), "999.9 us");
  EXPECT_EQ(figure(999.96), "1000");
}

TEST(Quantity, ZeroAndAbsentLookDifferent) {
  EXPECT_EQ(duration(0), "0");
  EXPECT_EQ(bytes(0), "0");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(number(0), "0");
  for (const double value : {absent, endless, -endless}) {
    EXPECT_EQ(duration(value), "-");
    EXPECT_EQ(bytes(value), "-");
    EXPECT_EQ(percent(value), "-");
    EXPECT_EQ(number(value), "-");
    EXPECT_EQ(amount(value), "-");
  }
  EXPECT_EQ(clock(0), "-");
  EXPECT_EQ(dash_if_empty(""), "-");
}

TEST(Quantity, SmallSharesAreNotZero) {
  EXPECT_EQ(percent(0.9851), "98.5 %");
  EXPECT_EQ(percent(0.0002), "<0.1 %");
}

TEST(Quantity, WholeNumbersAreExact) {
  EXPECT_EQ(grouped(9999), "9999");
  EXPECT_EQ(grouped(15024), "15 024");
  EXPECT_EQ(grouped(1562500), "1 562 500");
  EXPECT_EQ(grouped(-1562500), "-1 562 500");
  EXPECT_EQ(number(3990), "3990");
  EXPECT_EQ(number(62.34375), "62.34");
  EXPECT_EQ(amount(6.725e9), "6.725 G");
}

TEST(Quantity, ARangeHasOneUnit) {
  EXPECT_EQ(duration_range(138.2, 155.1), "138.2 .. 155.1 ms");
  EXPECT_EQ(duration_range(0.5, 1.5), "0.5000 .. 1.500 ms");
  EXPECT_EQ(duration_range(absent, 1), "-");
}

TEST(Quantity, ExtentsLeaveOnesOut) {
  EXPECT_EQ(extent({256, 1, 1}), "256");
  EXPECT_EQ(extent({32, 8, 1}), "32 x 8");
  EXPECT_EQ(extent({32, 1, 2}), "32 x 1 x 2");
}

}  // namespace
}  // namespace forewarp::report
