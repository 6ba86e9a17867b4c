// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/residency/warp_times.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using characterise::read_warp_times;
using characterise::residency_of;
using characterise::ResidencyTrace;

std::string refusal(std::string_view text) {
  const auto warps = read_warp_times(text, "w.csv");
  return warps ? "read" : warps.error().line();
}

ResidencyTrace traced(std::string_view text, std::size_t parts) {
  const auto warps = read_warp_times(text, "w.csv");
  return residency_of(*warps, parts, characterise::sms_with_warps(*warps));
}

/// 200 warps of 200 to 3185 ns on four SMs, from `first` on.
std::string many_warps(std::uint64_t first, std::string_view fraction = "") {
  std::string text = "sm,start,end\n";
  for (std::uint64_t i = 0; i < 200; ++i) {
    const std::uint64_t start = first + 37 * i, end = start + 200 + 15 * i;
    text += fmt::format("{},{}{},{}{}\n", i % 4, start, fraction, end, fraction);
  }
  return text;
}

void expect_same(const ResidencyTrace& one, const ResidencyTrace& other) {
  EXPECT_EQ(one.mean, other.mean);
  EXPECT_EQ(one.most, other.most);
  EXPECT_EQ(one.imbalance, other.imbalance);
  EXPECT_EQ(one.tail, other.tail);
  EXPECT_EQ(one.over_time, other.over_time);
}

// SM 0: two warps over 0..10, one over 10..20; SM 1: one over 0..10.
constexpr std::string_view two_sms = "sm,start,end\n0,0,10\n0,0,10\n0,10,20\n1,0,10\n";

TEST(WarpTimes, MeansAreAreasOverTime) {
  const ResidencyTrace trace = traced(two_sms, 2);
  ASSERT_EQ(trace.sms.size(), 2U);
  EXPECT_DOUBLE_EQ(trace.sms[0].mean, 30.0 / 20);
  EXPECT_DOUBLE_EQ(trace.sms[0].most, 2);  // a warp that starts as another ends is not beside it
  EXPECT_DOUBLE_EQ(trace.sms[1].mean, 1);
  EXPECT_DOUBLE_EQ(trace.mean, 40.0 / 2 / 20);
  EXPECT_DOUBLE_EQ(trace.most, 2);
  EXPECT_DOUBLE_EQ(trace.imbalance, 30.0 / 20);  // 30 on the busiest, 20 on average
  EXPECT_DOUBLE_EQ(trace.tail, 0.5);             // SM 1 is done at 10 of 20
  EXPECT_EQ(trace.over_time, (std::vector<double>{1.5, 0.5}));
}

TEST(WarpTimes, PartsShareWarpsByTheirOverlap) {
  const ResidencyTrace trace = traced("sm,start,end\n3,100,103\n3,101,108\n", 4);
  // parts of 2: 100..102 has 2 + 1, 102..104 1 + 2, then 2 and 2, each over 2
  EXPECT_EQ(trace.over_time, (std::vector<double>{1.5, 1.5, 1, 1}));
}

TEST(WarpTimes, FractionsArePrintedAsTheyAre) {
  const auto warps = read_warp_times("sm,start,end\n0,5.00001,6.5\n1,5,7.99999999999\n", "w.csv");
  ASSERT_TRUE(warps) << warps.error().line();
  EXPECT_EQ((*warps)[0].start.text(), "5.00001");
  EXPECT_EQ((*warps)[0].end.text(), "6.5");
  EXPECT_EQ((*warps)[1].start.text(), "5");
  EXPECT_EQ((*warps)[1].end.text(), "8");
}

TEST(WarpTimes, ColumnsMayStandAnywhere) {
  const auto warps = read_warp_times("# recorded\nwarp, End ,block,SM,start\n7,9,0,2,4\n", "w.csv");
  ASSERT_TRUE(warps) << warps.error().line();
  ASSERT_EQ(warps->size(), 1U);
  EXPECT_EQ(warps->front().sm, 2U);
  EXPECT_EQ(warps->front().start.text(), "4");
  EXPECT_EQ(warps->front().end.text(), "9");
}

TEST(WarpTimes, AClockSince1970LosesNoNanosecond) {
  constexpr std::uint64_t now = 1720000000000000000;
  const ResidencyTrace early = traced(many_warps(0), 64), late = traced(many_warps(now), 64);
  expect_same(early, late);
  EXPECT_EQ(late.begin.text(), "1720000000000000000");
  EXPECT_EQ(late.end.text(), "1720000000000010548");
  EXPECT_EQ(late.sms[1].begin.text(), "1720000000000000037");
  expect_same(early, traced(many_warps(now, ".25"), 64));
}

TEST(WarpTimes, DecimalsAndPowersOfTenAreTimes) {
  const auto warps = read_warp_times("sm,start,end\n0,0.125,12345.678\n0,1e3,1.5e3\n", "w.csv");
  ASSERT_TRUE(warps) << warps.error().line();
  EXPECT_EQ(warps->front().start.text(), "0.125");
  EXPECT_EQ(warps->front().end.text(), "12345.678");
  EXPECT_DOUBLE_EQ(warps->front().end.since(warps->front().start), 12345.553);
  EXPECT_EQ(warps->back().start.text(), "1000");
  EXPECT_EQ(warps->back().end.text(), "1500");
}

TEST(WarpTimes, SmsWithoutWarpsCount) {
  const auto warps = read_warp_times("sm,start,end\n3,0,10\n3,0,10\n", "w.csv");
  const ResidencyTrace trace = residency_of(*warps, 1, 16);
  EXPECT_DOUBLE_EQ(trace.imbalance, 16);
  EXPECT_DOUBLE_EQ(trace.mean, 2.0 / 16);
  EXPECT_DOUBLE_EQ(trace.tail, 1);
  EXPECT_EQ(trace.over_time, (std::vector<double>{2.0 / 16}));
}

TEST(WarpTimes, AWarpOfNoTimeIsNoFault) {
  const ResidencyTrace trace = traced("sm,start,end\n0,5,5\n", 3);
  EXPECT_EQ(trace.mean, 0);
  EXPECT_EQ(trace.imbalance, 0);
}

TEST(WarpTimes, Refusals) {
  EXPECT_EQ(refusal("sm,begin,end\n"),
            "w.csv:1: there is no column 'start'; expected columns sm, start and end");
  EXPECT_EQ(refusal("sm,start,end\n"), "w.csv: holds no warps; expected rows of sm, start and end");
  EXPECT_EQ(
      refusal("sm,start,end\n0,5,4\n"),
      "w.csv:2: the warp ends before it starts; expected start <= end, on one clock of all SMs");
  EXPECT_EQ(refusal("sm,start,end\n0,x,4\n"),
            "w.csv:2: start is 'x'; expected a number from 0, below 2^64");
  EXPECT_EQ(refusal("sm,start,end\n0,0,18446744073709551616\n"),
            "w.csv:2: end is '18446744073709551616'; expected a number from 0, below 2^64");
  EXPECT_EQ(refusal("sm,start,end\n0,-1,4\n"),
            "w.csv:2: start is '-1'; expected a number from 0, below 2^64");
  EXPECT_EQ(refusal("sm,start,end\n0,1.2.3,4\n"),
            "w.csv:2: start is '1.2.3'; expected a number from 0, below 2^64");
  EXPECT_EQ(refusal("sm,start,end\n0.5,1,4\n"), "w.csv:2: sm is 0.5; expected a whole number");
  EXPECT_EQ(refusal("sm,start,end\n0,1\n"),
            "w.csv:2: end is ''; expected a number from 0, below 2^64");
}

}  // namespace
}  // namespace forewarp::tests
