// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mwp_cwp.h"

#include <cmath>

#include <gtest/gtest.h>

#include "alpha_mix_case.h"
#include "figure.h"
#include "model/hong_kim/hong_kim_model.h"

namespace forewarp::tests {
namespace {

/// Voudouris 2014, Table 12: one warp of two convolution kernels.
MwpCwpInput table12(double instructions, double accesses, double latency) {
  MwpCwpInput in;
  in.warps = in.barriers = 1;
  in.instructions = instructions;
  in.coalesced = accesses;
  in.issue_cycles = 2;
  in.memory_latency = latency;
  in.departure_coalesced = 4;
  in.departure_uncoalesced = 10;
  in.transactions = 32;
  in.bytes = 128;
  in.clock_ghz = 0.607;
  in.bandwidth_gbs = 133.9;
  return in;
}

// Case 22 with one warp: 2 * 146 + 400 * 8, 2 * 95 + 470 * 5 (his Tables 13 and 14).
TEST(MwpCwp, OneWarpIsTheSumOfComputationAndMemory) {
  EXPECT_DOUBLE_EQ(mwp_cwp(table12(146, 8, 400)).total, 3492);
  EXPECT_DOUBLE_EQ(mwp_cwp(table12(95, 5, 470)).total, 2540);
}

// His clock is printed as 607 GHz; taken so, bandwidth limits to 133.9 / (607 * 128 / 400) = 0.69.
TEST(MwpCwp, TheClockIsInGigahertz) {
  MwpCwpInput in = table12(146, 8, 400);
  EXPECT_NEAR(mwp_cwp(in).mwp_by_bandwidth, 689.35, 0.01);
  in.clock_ghz = 607;
  EXPECT_NEAR(mwp_cwp(in).mwp_by_bandwidth, 0.689, 0.001);
}

/// The worked example of the paper: 20 warps, 6 uncoalesced accesses of 32 transactions.
MwpCwpInput worked_example() {
  MwpCwpInput in;
  in.warps = 20;
  in.instructions = 27 + 6;
  in.uncoalesced = in.barriers = 6;
  in.issue_cycles = 4;
  in.memory_latency = 420;
  in.departure_coalesced = 4;
  in.departure_uncoalesced = 10;
  in.transactions = 32;
  in.bytes = 128;
  in.bandwidth_gbs = 80;
  in.sms = 16;
  in.blocks = 80;
  in.blocks_per_sm = 5;
  return in;
}

// 420 + 31 * 10; 320; 730/320; 128/730; 80/(0.17534 * 16); (4380 + 132)/132.
TEST(MwpCwp, WorkedExampleInFullPrecision) {
  const MwpCwpTime t = mwp_cwp(worked_example());
  EXPECT_DOUBLE_EQ(t.memory_access, 730);
  EXPECT_DOUBLE_EQ(t.departure_delay, 320);
  EXPECT_DOUBLE_EQ(t.mwp, 2.28125);
  EXPECT_NEAR(t.warp_gbs, 0.1753, 5e-5);
  EXPECT_NEAR(t.mwp_by_bandwidth, 28.5, 0.05);
  EXPECT_DOUBLE_EQ(t.computation, 132);
  EXPECT_DOUBLE_EQ(t.memory, 4380);
  EXPECT_NEAR(t.cwp_full, 34.18, 0.005);
  EXPECT_DOUBLE_EQ(t.cwp, 20);
  EXPECT_DOUBLE_EQ(t.rounds, 1);
  EXPECT_NEAR(t.execution, 4380 * 20 / 2.28125 + 22 * 1.28125, 1e-9);
  EXPECT_DOUBLE_EQ(t.barriers, 320 * 1.28125 * 6 * 5);
  EXPECT_NEAR(t.total, 50728.19, 0.005);
}

// Half of the accesses coalesced: 730/2 + 420/2; 320/2 + 4/2; 730 * 3 + 420 * 3.
TEST(MwpCwp, CoalescedAndUncoalescedAreWeighted) {
  MwpCwpInput in = worked_example();
  in.coalesced = in.uncoalesced = 3;
  const MwpCwpTime t = mwp_cwp(in);
  EXPECT_DOUBLE_EQ(t.memory_access, 575);
  EXPECT_DOUBLE_EQ(t.departure_delay, 162);
  EXPECT_DOUBLE_EQ(t.memory, 3450);
}

// MWP 10 > CWP (100 + 400)/400: 100 + 400 * 10. (23) as printed takes 100 * 10/10 + 400 * 9.
TEST(MwpCwp, ComputationBoundAndThePrintedCase) {
  MwpCwpInput in;
  in.warps = 10;
  in.instructions = 100;
  in.issue_cycles = 4;
  in.coalesced = 1;
  in.memory_latency = 100;
  in.computation_rule = false;
  EXPECT_DOUBLE_EQ(mwp_cwp(in).total, 100 + 400 * 10);
  in.computation_rule = true;
  EXPECT_DOUBLE_EQ(mwp_cwp(in).total, 100 + 400 * 9);
}

TEST(MwpCwp, WithoutAccessesItIsTheComputation) {
  MwpCwpInput in;
  in.warps = 10;
  in.instructions = 100;
  in.issue_cycles = 4;
  in.blocks = 6;
  in.sms = 2;
  EXPECT_DOUBLE_EQ(mwp_cwp(in).total, 4000 * 3);
}

// Equations 6 to 9 on GT200: 141.7 / (1.296 * 128/434 * 30) and 434/(33 * 4) + 1.
TEST(MwpCwp, ParallelismOnGt200) {
  MwpCwpInput in;
  in.warps = 32;
  in.instructions = 33;
  in.coalesced = 1;
  in.issue_cycles = 4;
  in.memory_latency = 434;
  in.bytes = 128;
  in.clock_ghz = 1.296;
  in.bandwidth_gbs = 141.7;
  in.sms = 30;
  EXPECT_NEAR(mwp_cwp(in).mwp, 12.36, 0.005);
  EXPECT_NEAR(mwp_cwp(in).cwp, 4.29, 0.005);
}

// Volkov 2016, 7.1: alpha 32 on GT200; ends of the warp do not count.
TEST(HongKimModel, Alpha32OnGt200) {
  struct Row {
    double n, mwp, cwp, time, adds;
  };
  for (const Row& row :
       {Row{1, 1, 1, 566, 1.8092}, Row{2, 2, 2, 566, 3.6184}, Row{4, 4, 4, 566, 7.2367},
        Row{5, 5, 4.2879, 660, 7.7576}, Row{6, 6, 4.2879, 792, 7.7576},
        Row{8, 8, 4.2879, 1056, 7.7576}, Row{10, 10, 4.2879, 1320, 7.7576},
        Row{12, 12, 4.2879, 1584, 7.7576}, Row{16, 12.3573, 4.2879, 2112, 7.7576},
        Row{24, 12.3573, 4.2879, 3168, 7.7576}, Row{32, 12.3573, 4.2879, 4224, 7.7576}}) {
    const AlphaMixCase c(gt200, 32, row.n);
    const HongKimModel model;
    const Prediction p = c.predict(model);
    EXPECT_NEAR(c.group_cycles(p), row.time, 0.005) << row.n;
    EXPECT_NEAR(c.adds_per_cycle(p), row.adds, 5e-5) << row.n;
    EXPECT_NEAR(figure(model, c.input(), "mwp"), row.mwp, 5e-5) << row.n;
    EXPECT_NEAR(figure(model, c.input(), "cwp"), row.cwp, 5e-5) << row.n;
  }
}

/// 2 accesses, one of 4 lines, 20 instructions, 3 barriers; 4 cycles an instruction.
struct ScatteredCase : ModelCase {
  ScatteredCase() {
    gpu.memory.latency = 400;
    demand.count(Count::instructions) = 20;
    demand.count(Count::memory_instructions) = 2;
    demand.count(Count::uncoalesced_instructions) = 1;
    demand.count(Count::line_reissues) = 3;
    demand.count(Count::barriers) = 3;
    demand.count(Count::read_bytes) = 256;
    demand.cycles(0) = 80;
    demand.cycles(1) = 0;
    latency.memory_cycles = 400;
    launch = {40, 1, 64, 2, 2, Megahertz(1000), {}, {}};
  }
};

// 400 + 3 * 50 and 400; D = 50 * 4/2 + 10/2 = 105; L = 475; MWP = min(4, 475/105, 475 * 10/128);
// M = 950, K = 80; CWP = min(4, 12.875); 950 + 80 + 40 * 3, barriers 105 * 3 * 3 * 2.
TEST(HongKimModel, FullFormCountsScatterAndBarriers) {
  const ScatteredCase c;
  const Prediction p = c.predict(HongKimModel(), {{"hong-kim.form", "full"},
                                                  {"hong-kim.departure", "10"},
                                                  {"hong-kim.departure_uncoal", "50"}});
  EXPECT_DOUBLE_EQ(4 / p.warp_throughput, 950 + 80 + 120 + 1890);
}

// 400 * 2, no barriers: M = 400 as the path waits, D = 30 * 5/2: MWP = 200/75 < CWP.
TEST(HongKimModel, SimplifiedFormTakesWaitsOfThePath) {
  const ScatteredCase c;
  const Prediction p = c.predict(HongKimModel(), {{"hong-kim.departure", "30"}});
  const double mwp = 200.0 / 75;
  EXPECT_NEAR(4 / p.warp_throughput, 400 * 4 / mwp + 40 * (mwp - 1), 1e-9);
}

TEST(HongKimModel, StoresAloneGiveNoTime) {
  ScatteredCase c;
  c.latency.memory_cycles = 0;
  const Prediction p = c.predict(HongKimModel());
  EXPECT_FALSE(p.applies);
  EXPECT_EQ(p.why, "its formula gives no positive time here");
}

}  // namespace
}  // namespace forewarp::tests
