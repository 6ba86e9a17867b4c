// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/comparison.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "comparison/reasons.h"

namespace forewarp::tests {
namespace {

/// latency 368 -> 534 cycles, throughput bound 1/12.5 -> 1/350 warps per cycle: needed 29.4
/// -> 1.53.
Comparison divergent() {
  Comparison c;
  c.a.kernel.name = c.b.kernel.name = "k";
  c.a.gpu.id = c.b.gpu.id = "board";
  c.a.time_ms = 1;
  c.b.time_ms = 28;
  c.ratio = 28;
  c.a.latency.cycles = 368;
  c.b.latency.cycles = 534;
  c.a.bounds = {{"dram", "device memory", 12.5, 1, 1, ""}};
  c.b.bounds = {{"dram", "device memory", 350, 28, 1, ""}};
  c.a.occupancy.needed_warps = 368 / 12.5;
  c.b.occupancy.needed_warps = 534 / 350.0;
  c.a.occupancy.warps_per_sm = c.b.occupancy.warps_per_sm = 64;
  c.a.occupancy.latency_hidden = c.b.occupancy.latency_hidden = true;
  c.a.profile.dram_read_bytes = 1e6;
  c.b.profile.dram_read_bytes = 28e6;
  c.factors = {{"traffic", "device memory traffic", 28, 384, 10752, "bytes per warp"}};
  return c;
}

bool has(const std::vector<std::string>& list, const std::string& part) {
  for (const std::string& text : list) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(Reasons, TheAnswerNamesTheMainFactorAndTheNeededOccupancy) {
  const std::string answer = answer_of(divergent());
  EXPECT_EQ(answer,
            "B is 28x slower than A on board (1 -> 28 ms): device memory traffic 384 -> 10752 "
            "bytes per warp (time x28); needed occupancy falls from 29.4 to 1.53 warps per SM");
}

// Volkov 2016, 3.10, rule 1: throughput x0.0357 outweighs latency x1.45.
TEST(Reasons, NeededOccupancyIsAProductAndTheLargerFactorMovesIt) {
  const auto reasons = reasons_of(divergent());
  EXPECT_TRUE(has(reasons, "latency x1.45 (368 -> 534 cycles)"));
  EXPECT_TRUE(has(reasons, "throughput bound x0.0357"));
  EXPECT_TRUE(has(reasons, "the throughput moves it"));
  EXPECT_TRUE(has(reasons, "the tightest bound stays device memory: 12.5 -> 350"));
  EXPECT_TRUE(has(reasons, "device memory read 1 M -> 28 M bytes"));
}

// Rule 3: fewer instructions, memory-bound both ways: the latency alone moves it.
TEST(Reasons, ShorterLatencyMovesItWhereTheBoundStays) {
  Comparison c = divergent();
  c.b.bounds = c.a.bounds;
  c.b.latency.cycles = 184;
  c.b.occupancy.needed_warps = 184 / 12.5;
  EXPECT_TRUE(has(reasons_of(c), "the latency moves it"));
}

TEST(Reasons, HalfAWarpThatIsNeededIsSaid) {
  Comparison c = divergent();
  c.a.occupancy.needed_warps = 0.5;
  EXPECT_NE(answer_of(c).find("needed occupancy rises from 0.5 to 1.53"), std::string::npos)
      << answer_of(c);
  c.a.occupancy.needed_warps = 0;
  EXPECT_NE(answer_of(c).find("not said by the model"), std::string::npos);
}

// A latency that grew is no cause of a gain, nor traffic that fell of a loss, whatever factor is
// left over for it.
TEST(Reasons, AFigureThatMovedTheOtherWayIsNoCause) {
  Comparison c = divergent();
  c.factors = {{"latency", "latency of a warp", 7, 534, 368, "cycles"},
               {"traffic", "device memory traffic", 4, 384, 10752, "bytes per warp"}};
  EXPECT_EQ(answer_of(c).find("latency of a warp"), std::string::npos);
  EXPECT_NE(answer_of(c).find("device memory traffic 384 -> 10752"), std::string::npos);
  c.factors.front().after = 801;
  EXPECT_NE(answer_of(c).find("latency of a warp 534 -> 801"), std::string::npos);
}

// A limit that one side does not have has no number there.
TEST(Reasons, ALimitThatVanishesOrAppearsIsSaidAsSuch) {
  Comparison c = divergent();
  c.a.time_ms = 28;
  c.b.time_ms = 1;
  c.ratio = 1.0 / 28;
  c.factors = {{"block_launch", "block launch rate", 1.0 / 28, 32.4, 0, "cycles per warp"}};
  EXPECT_NE(answer_of(c).find(": block launch rate 32.4 cycles per warp -> no longer a limit (time "
                              "x0.0357)"),
            std::string::npos)
      << answer_of(c);
  c.ratio = 28;
  c.factors = {{"block_launch", "block launch rate", 28, 0, 32.4, "cycles per warp"}};
  EXPECT_NE(answer_of(c).find("block launch rate no limit before -> 32.4 cycles per warp"),
            std::string::npos)
      << answer_of(c);
  // Traffic that is gone is none: that is a number.
  c.ratio = 1.0 / 28;
  c.factors = {{"traffic", "device memory traffic", 1.0 / 28, 384, 0, "bytes per warp"}};
  EXPECT_NE(answer_of(c).find("384 -> 0 bytes per warp"), std::string::npos) << answer_of(c);
}

TEST(Reasons, HowSureADifferenceIsStandsBesideIt) {
  Comparison c = divergent();
  c.a.interval_ms = {0.8, 1.3};
  c.b.interval_ms = {20, 35};
  c.sure = "clear";
  EXPECT_NE(answer_of(c).find("(1 -> 28 ms; clear)"), std::string::npos) << answer_of(c);
  EXPECT_TRUE(has(reasons_of(c),
                  "clear: the intervals of the two times lie apart (A 0.8 .. 1.3, "
                  "B 20 .. 35 ms)"));
  c.sure = "uncertain";
  EXPECT_TRUE(has(reasons_of(c), "uncertain: each time lies within the other's interval"));
}

TEST(Reasons, WhatStaysIsNotTold) {
  Comparison c = divergent();
  c.b = c.a;
  c.ratio = 1;
  c.factors.clear();
  EXPECT_NE(answer_of(c).find("B takes as long as A"), std::string::npos);
  for (const std::string& reason : reasons_of(c)) {
    EXPECT_EQ(reason.find("traffic"), std::string::npos) << reason;
    EXPECT_EQ(reason.find("tightest"), std::string::npos) << reason;
  }
}

TEST(Gate, PassesUpToTheShareAndNamesWhatIsSlower) {
  Comparisons all;
  Comparison same = divergent(), slow = divergent();
  same.b.time_ms = 1.03;
  same.ratio = 1.03;
  slow.id = "conv/17";
  slow.b.time_ms = 1.05;
  slow.ratio = 1.05;
  all.pairs = {same, slow};
  apply_gate(0.03, all);
  ASSERT_EQ(all.failures.size(), 1U);
  EXPECT_EQ(all.failures.front(), "conv/17 on board: 5 % slower (1 -> 1.05 ms), allowed are 3 %");
}

TEST(Gate, ARefusedSideIsAFailureWithItsLine) {
  Comparisons all;
  Comparison refused = divergent();
  refused.b.error = Diagnostic{"", "launch: 2048 threads per block; expected at most 1024", "", ""};
  all.pairs = {refused};
  apply_gate(0.5, all);
  ASSERT_EQ(all.failures.size(), 1U);
  EXPECT_EQ(all.failures.front(),
            "k on board: B has no prediction: launch: 2048 threads per block; expected at most "
            "1024");
}

TEST(Gate, ComparingNothingFails) {
  Comparisons all;
  all.vanished = {"one", "two"};
  all.added = {"three"};
  apply_gate(0.03, all);
  ASSERT_EQ(all.failures.size(), 1U);
  EXPECT_EQ(all.failures.front(),
            "--fail-above: nothing was compared: A has 2 cases and B has 1, none with the same id");
}

}  // namespace
}  // namespace forewarp::tests
