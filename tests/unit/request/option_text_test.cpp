// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/option_text.h"

#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

template <typename T>
std::string message(const Expected<T>& result) {
  return result ? "no error" : result.error().line();
}

TEST(OptionText, Extents) {
  EXPECT_EQ(*parse_extent("1562500", "--grid"), (Extent{1562500, 1, 1}));
  EXPECT_EQ(*parse_extent("128, 342", "--grid"), (Extent{128, 342, 1}));
  EXPECT_EQ(*parse_extent("0x20,4,2", "--block"), (Extent{32, 4, 2}));
  EXPECT_EQ(*parse_extent("32x4", "--sweep", 'x'), (Extent{32, 4, 1}));
  EXPECT_EQ(message(parse_extent("1,2,3,4", "--grid")),
            "--grid: '1,2,3,4' has more than three sizes; expected X[,Y[,Z]]");
  for (const char* text : {"0", "4294967296", "-1", "", "2,,3", "1.5", "a"}) {
    EXPECT_EQ(message(parse_extent(text, "--block")),
              "--block: '" + std::string(text) +
                  "' is not a size; expected X[,Y[,Z]], each from 1 to 4294967295");
  }
}

TEST(OptionText, Clocks) {
  EXPECT_EQ(parse_clock("base")->kind, ClockChoice::Kind::base);
  EXPECT_EQ(parse_clock("boost")->kind, ClockChoice::Kind::boost);
  EXPECT_EQ(parse_clock("sustained")->kind, ClockChoice::Kind::sustained);
  EXPECT_EQ(parse_clock("1253.5")->megahertz, 1253.5);
  for (const char* text : {"0", "-5", "fast", "inf", "nan", ""}) {
    EXPECT_EQ(message(parse_clock(text)),
              "--clock: '" + std::string(text) +
                  "' is not a clock; expected 1 to 100000 MHz, base, boost, sustained or load");
  }
}

TEST(OptionText, TimingAndSample) {
  EXPECT_EQ(*parse_timing("graph"), Timing::graph);
  EXPECT_EQ(message(parse_timing("wall")),
            "--timing: 'wall' is not a timing; expected device, event, stream, graph or host");
  EXPECT_EQ(parse_sample("auto")->mode, SampleChoice::Mode::automatic);
  EXPECT_EQ(parse_sample("all")->mode, SampleChoice::Mode::all);
  EXPECT_EQ(parse_sample("12")->count, 12U);
  EXPECT_EQ(message(parse_sample("0")),
            "--sample: '0' is not a sample; expected auto, all or a number of blocks");
}

TEST(OptionText, TripsAndBranchesAreAtHexadecimalAddresses) {
  EXPECT_EQ(*parse_trip("0x120=128"), (std::pair<std::uint32_t, double>{0x120, 128}));
  EXPECT_EQ(*parse_trip("0120=12.5"), (std::pair<std::uint32_t, double>{0x120, 12.5}));
  EXPECT_EQ(*parse_branch_probability("b8=0.25"), (std::pair<std::uint32_t, double>{0xb8, 0.25}));
  EXPECT_EQ(message(parse_trip("120")),
            "--trip: '120' has no '='; expected ADDRESS=N with N passes, 0 or more");
  EXPECT_EQ(message(parse_trip("loop=3")),
            "--trip: 'loop=3' starts with no address; expected ADDRESS=N with N passes, 0 or more; "
            "addresses are hexadecimal, as `forewarp analyze` prints them");
  EXPECT_EQ(message(parse_trip("120=-1")),
            "--trip: '120=-1' has no number in range; expected ADDRESS=N with N passes, 0 or more");
  EXPECT_EQ(message(parse_trip("120=inf")),
            "--trip: '120=inf' has no number in range; expected ADDRESS=N with N passes, 0 or "
            "more");
  EXPECT_EQ(message(parse_branch_probability("120=1.01")),
            "--assume-branch: '120=1.01' has no number in range; expected ADDRESS=P with P from 0 "
            "to 1");
}

// A link is loaded only for copies: what is set has to be one of its numbers all the same.
TEST(OptionText, WhatIsSetOfALinkIsANumberOfIt) {
  EXPECT_TRUE(parse_link_override("link.h2d.pinned.share=0.9"));
  EXPECT_TRUE(parse_link_override("link.theory.x16_gbs = 12"));
  EXPECT_EQ(parse_link_override("link.bogus=1").error().line().substr(0, 52),
            "--set link.bogus: no number of a link is named 'bogu");
  EXPECT_EQ(parse_link_override("link.h2d.pinned.share=x").error().line(),
            "--set link.h2d.pinned.share: 'x' is no number; expected a number in 1");
  EXPECT_EQ(parse_link_override("link.lane.widths=4").error().line(),
            "--set link.lane.widths: cannot be set; expected a number of the link");
}

TEST(OptionText, Overrides) {
  const auto set = parse_override("hw.memory.latency_cycles = 500");
  ASSERT_TRUE(set);
  EXPECT_EQ(set->path, "memory.latency_cycles");
  EXPECT_EQ(set->value, "500");
  for (const char* text : {"memory.latency=5", "hw.memory", "hw.=5", "=5"}) {
    EXPECT_EQ(message(parse_override(text)),
              "--set: '" + std::string(text) +
                  "' sets no number of the GPU file; expected hw.PATH=VALUE; `forewarp gpu show "
                  "ID` lists the paths");
  }
  EXPECT_EQ(message(parse_override("hw.sms=")),
            "--set: 'hw.sms=' has no value; expected hw.PATH=VALUE");
}

}  // namespace
}  // namespace forewarp::tests
