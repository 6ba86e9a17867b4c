// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/gpuperf/gpuperf_model.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "alpha_mix_case.h"
#include "figure.h"
#include "model/gpu_perf.h"

namespace forewarp::tests {
namespace {

struct Row {
  double n, cwp, mwp, computation, memory, time, adds;
};

void expect_rows(const MixBoard& board, double alpha, std::initializer_list<Row> rows) {
  const GpuPerfModel model;
  for (const Row& row : rows) {
    const AlphaMixCase c(board, alpha, row.n);
    const Prediction p = c.predict(model);
    EXPECT_NEAR(c.group_cycles(p), row.time, 0.0051) << row.n;
    EXPECT_NEAR(c.adds_per_cycle(p), row.adds, 5.1e-5) << row.n;
    const auto at = [&](std::string_view name) { return figure(model, c.input(), name); };
    EXPECT_NEAR(at("mwp"), row.mwp, 5.1e-5) << row.n;
    EXPECT_NEAR(at("cwp"), row.cwp, 5.1e-5) << row.n;
    EXPECT_NEAR(at("computation_cycles") / c.groups, row.computation, 0.0051) << row.n;
    EXPECT_NEAR(at("memory_cycles") / c.groups, row.memory, 0.0051) << row.n;
  }
}

// Volkov 2016, 7.4, worked out: T_comp = 33 n max(18/n, 1), T_mem = 513 n/min(MWP, CWP - 1) ..
TEST(GpuPerfModel, Alpha32OnFermi) {
  expect_rows(fermi, 32,
              {{2, 2, 2, 594, 1026, 1323, 1.5480},
               {4, 4, 4, 594, 684, 832.5, 4.9201},
               {8, 7.9091, 8, 594, 594, 668.25, 12.2589},
               {12, 11.3636, 12, 594, 594, 643.5, 19.0956},
               {16, 14.8182, 16, 594, 594, 631.125, 25.9600},
               {18, 16.5455, 18, 594, 594, 627, 29.3971},
               {24, 16.5455, 24, 792, 792, 825, 29.7891},
               {32, 16.5455, 30.7266, 1056, 1056, 1089, 30.0900}});
}

TEST(GpuPerfModel, Alpha32OnKepler) {
  expect_rows(kepler, 32,
              {{4, 4, 4, 297, 401.3333, 475.5833, 8.6126},
               {8, 8, 8, 297, 344, 381.125, 21.4943},
               {16, 16, 16, 297, 321.0667, 339.6292, 48.2409},
               {24, 24, 24, 297, 314.0870, 326.4620, 75.2798},
               {32, 32, 32, 297, 310.7097, 319.9909, 102.4029},
               {36, 36, 36, 297, 309.6, 317.85, 115.9792},
               {48, 37.4848, 40.2736, 396, 396, 404.25, 121.5881},
               {64, 37.4848, 40.2736, 528, 528, 536.25, 122.2117}});
}

TEST(GpuPerfModel, Alpha64OnMaxwell) {
  expect_rows(maxwell, 64,
              {{4, 4, 4, 390, 490.6667, 588.1667, 13.9280},
               {8, 8, 8, 390, 420.5714, 469.3214, 34.9100},
               {16, 16, 16, 390, 392.5333, 416.9083, 78.5976},
               {24, 23.6462, 24, 390, 390, 406.25, 120.9895},
               {32, 23.6462, 29.9479, 520, 520, 536.25, 122.2117},
               {36, 23.6462, 29.9479, 585, 585, 601.25, 122.6245},
               {48, 23.6462, 29.9479, 780, 780, 796.25, 123.4587},
               {64, 23.6462, 29.9479, 1040, 1040, 1056.25, 124.0918}});
}

/// The board of the paper, C2050, with coalesced accesses.
GpuPerfInput paper_board() {
  GpuPerfInput in;
  in.warps = 48;
  in.all_warps = 96;
  in.instructions = 33;
  in.accesses = 1;
  in.instruction_latency = 18;
  in.warp_lanes = in.simd_lanes = 32;
  in.sfu_lanes = 4;
  in.memory_latency = 440;
  in.departure = 20;
  in.clock_ghz = 1.15;
  in.bandwidth_gbs = 144;
  in.transaction_bytes = 128;
  in.sms = 14;
  return in;
}

// A.5 to A.7: 1.15 * 128/440; 144/(0.3345 * 14); 440/20.
TEST(GpuPerf, ParallelismOfThePapersBoard) {
  const GpuPerfTime t = gpu_perf(paper_board());
  EXPECT_NEAR(t.warp_gbs, 0.3345, 5e-5);
  EXPECT_NEAR(t.mwp_by_bandwidth, 30.75, 0.005);
  EXPECT_DOUBLE_EQ(t.mwp, 22);
  EXPECT_NEAR(t.mwp * 14 * t.warp_gbs, 103.04, 0.005);
}

// i = 33, s = 11, S = 2, G = 64: serial terms 2 * 96 * 64 * 440/33 and 11 * 96 * 8 * (11/33 -
// 4/32); AMAT = 440/2 + 50; divergent: 440 + 3 * 20.
TEST(GpuPerf, SerialTermsAndLatencyOfMixedAccesses) {
  GpuPerfInput in = paper_board();
  in.barriers = 2;
  in.special_functions = 11;
  in.barrier_factor = 64;
  in.miss_ratio = 0.5;
  in.hit_latency = 50;
  in.divergence_cycles = 7;
  in.bank_cycles = 5;
  GpuPerfTime t = gpu_perf(in);
  EXPECT_DOUBLE_EQ(t.parallel, 33 * 96);
  EXPECT_DOUBLE_EQ(t.sync, 2 * 96 * (64 * 440 / 33.0));
  EXPECT_NEAR(t.special, 11 * 96 * 8 * (1 / 3.0 - 1 / 8.0), 1e-9);
  EXPECT_DOUBLE_EQ(t.computation, t.parallel + t.sync + t.special + 12);
  EXPECT_DOUBLE_EQ(t.access_latency, 270);
  in.transactions = 4;
  t = gpu_perf(in);
  EXPECT_DOUBLE_EQ(t.dram_latency, 500);
  EXPECT_DOUBLE_EQ(t.access_latency, 300);
}

// ILP 2 fills the pipeline with 9 warps: ITILP = min(2 * 5, 18); MLP 3 triples what is in flight.
TEST(GpuPerf, ParallelismInsideAWarp) {
  GpuPerfInput in = paper_board();
  in.warps = 5;
  in.all_warps = 5;
  in.ilp = 2;
  in.mlp = 3;
  const GpuPerfTime t = gpu_perf(in);
  EXPECT_DOUBLE_EQ(t.itilp, 10);
  EXPECT_DOUBLE_EQ(t.parallel, 33 * 5 * 1.8);
  // CWP = min(5, (440/3 + 59.4)/59.4 = 3.469); MWP = 5; ITMLP = 3 * 2.469.
  EXPECT_NEAR(t.itmlp, 3 * (440 / 3.0 / 59.4), 1e-9);
  EXPECT_NEAR(t.memory, 5 * 440 / t.itmlp, 1e-9);
}

// (1), (16), (17) are max(T_comp, T_mem), or max(T_comp, T_mem + T_comp/N) where CWP <= MWP.
TEST(GpuPerf, OverlapReducesToTheLargerTime) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> up_to(1, 100);
  for (int i = 0; i < 1000; ++i) {
    GpuPerfInput in = paper_board();
    in.warps = std::floor(up_to(random));
    in.all_warps = in.warps;
    in.instructions = up_to(random);
    in.accesses = up_to(random);
    in.bandwidth_gbs = up_to(random);
    const GpuPerfTime t = gpu_perf(in);
    const double expected = t.cwp > t.mwp
                                ? std::max(t.computation, t.memory)
                                : std::max(t.computation, t.memory + t.computation / in.warps);
    EXPECT_NEAR(t.total, expected, 1e-9 * expected);
  }
}

// Loads of which half L1 serves and a quarter L2: 0.5 * 20 + 0.25 * 100 + 0.25 * 400, not sums.
TEST(GpuPerfModel, FullFormMixesTotalLatencies) {
  AlphaMixCase c(fermi, 8, 16);
  c.gpu.l1.latency = 20;
  c.gpu.l2.latency = 100;
  c.gpu.memory.latency = 400;
  c.demand.count(Count::l1_requests) = c.groups / 2;
  c.demand.count(Count::l2_requests) = c.groups / 4;
  EXPECT_DOUBLE_EQ(figure(GpuPerfModel(), c.input(), "access_latency", {{"gpuperf.form", "full"}}),
                   10 + 25 + 100);
  EXPECT_EQ(c.predict(GpuPerfModel(), {{"gpuperf.form", "full"}}).why,
            "cost of divergent control flow is unknown: taken as 0");
}

// 30 instructions of 10 cycles and 10 of 20: (300 + 200) / 40 = 12.5; accesses are no arithmetic.
TEST(GpuPerfModel, FullFormTakesTheMeanLatencyOfArithmetic) {
  AlphaMixCase c(fermi, 8, 48);
  for (std::size_t kind = 0; kind < class_kinds; ++kind)
    c.demand.of_class(static_cast<InstructionClass>(kind)) = 0;
  c.demand.of_class(InstructionClass::fp32) = 30;
  c.demand.of_class(InstructionClass::integer) = 10;
  c.demand.of_class(InstructionClass::load_global) = 1;
  const auto parallelism = [&](double fp32, double integer, double load) {
    c.gpu.classes["fp32"].latency = fp32;
    c.gpu.classes["integer"].latency = integer;
    c.gpu.classes["load_global"].latency = load;
    return figure(GpuPerfModel(), c.input(), "itilp", {{"gpuperf.form", "full"}});
  };
  const double mixed = parallelism(10, 20, 500);
  EXPECT_GT(mixed, 0);
  EXPECT_DOUBLE_EQ(parallelism(12.5, 12.5, 500), mixed);
  EXPECT_DOUBLE_EQ(parallelism(10, 20, 5000), mixed);
  EXPECT_DOUBLE_EQ(parallelism(5, 10, 500), mixed / 2);
}

// Without accesses 10 further passes of 2 cycles still cost the warp 20; a barrier costs a share of
// memory latency, so nothing.
TEST(GpuPerfModel, FullFormCountsBanksOfKernelsThatOnlyCompute) {
  AlphaMixCase c(fermi, 8, 16);
  for (const Count count : {Count::memory_instructions, Count::load_requests, Count::read_bytes}) {
    c.demand.count(count) = 0;
  }
  c.demand.of_class(InstructionClass::load_global) = 0;
  c.latency.cycles -= c.latency.memory_cycles;
  c.latency.memory_cycles = 0;
  c.gpu.shared_cycles_per_pass = 2;
  c.gpu.facts["model.gpuperf.departure"].value = 20;
  const auto full = [&] { return c.predict(GpuPerfModel(), {{"gpuperf.form", "full"}}); };
  const double plain = 1 / full().warp_throughput;
  EXPECT_TRUE(std::isfinite(plain));
  c.demand.count(Count::shared_instructions) = 10;
  c.demand.count(Count::shared_wavefronts) = 20;
  EXPECT_NEAR(1 / full().warp_throughput - plain, 20, 1e-9);
  c.demand.count(Count::barriers) = 5;
  EXPECT_NEAR(1 / full().warp_throughput - plain, 20, 1e-9);
}

}  // namespace
}  // namespace forewarp::tests
