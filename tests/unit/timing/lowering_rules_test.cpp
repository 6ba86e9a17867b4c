// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hardware/database.h"
#include "kernel_builder.h"
#include "test_paths.h"
#include "timing/lowering.h"

namespace forewarp::tests {
namespace {

/// Tiled matrix product: global and shared loads, wide products, barriers.
class LoweringRules : public ::testing::Test {
 protected:
  void SetUp() override {
    auto loaded = HardwareDatabase(FOREWARP_DATA_DIR).load("a40");
    ASSERT_TRUE(loaded) << loaded.error().line();
    gpu = std::move(*loaded);
    patterns = AccessPatterns(kernel.instructions.size());
    lower();
  }

  void lower() {
    const LatencyRules* rules = gpu.rules_named("default");
    ASSERT_NE(rules, nullptr);
    const TimingSource source{kernel, gpu, *rules, patterns, Megahertz(gpu.clock_boost_mhz), {}, 0};
    machine = lower_machine(source, PolicyChoice{});
    timed = lower_kernel(source, machine);
    ASSERT_EQ(timed.instructions.size(), kernel.instructions.size());
  }

  /// What of every instruction of a class; fails where there is none.
  template <typename Check>
  void each(InstructionClass wanted, const Check& check) {
    int found = 0;
    for (std::size_t i = 0; i < timed.instructions.size(); ++i) {
      if (kernel.instructions[i].instruction_class != wanted) continue;
      ++found;
      check(timed.instructions[i]);
    }
    EXPECT_GT(found, 0);
  }

  Kernel kernel = testing::fixture("matmul_tiled.sm_86.sass");
  Gpu gpu;
  AccessPatterns patterns;
  SmMachine machine;
  TimedKernel timed;
};

TEST_F(LoweringRules, StallCountsAndYields) {
  int yields = 0;
  for (std::size_t i = 0; i < timed.instructions.size(); ++i) {
    const auto& control = kernel.instructions[i].control;
    const double least = control.yield ? gpu.yield_cycles : 1;
    yields += control.yield && control.stall < least ? 1 : 0;
    EXPECT_EQ(timed.instructions[i].spacing, ticks(std::max<double>(control.stall, least))) << i;
  }
  EXPECT_EQ(gpu.yield_cycles, 2);
  EXPECT_GT(yields, 0);
}

// The same bytes pass the SM's port at 71 a cycle, and enter L2 at 15 for each SM.
TEST_F(LoweringRules, StoresPassTheirPortFasterThanL2TakesThemIn) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    AccessPattern& pattern = patterns.at(i);
    pattern.known = true;
    pattern.requests = 1;
    pattern.lanes = 32;
    pattern.bytes_per_lane = 4;
    pattern.sectors = pattern.l2_sectors = 4;
  }
  lower();
  each(InstructionClass::store_global, [&](const TimedInstruction& one) {
    const TimedAccess& access = timed.accesses[one.access];
    const double bytes = access.written_cycles * gpu.l2.write_bytes;
    EXPECT_GT(bytes, 0);
    EXPECT_EQ(access.l2_port, ticks(bytes / gpu.l1.store_bytes));
  });
}

TEST_F(LoweringRules, WideProductsKeepTheIssuePort) {
  each(InstructionClass::integer_multiply_wide,
       [](const TimedInstruction& wide) { EXPECT_EQ(wide.port, cycle); });
  each(InstructionClass::fp32, [](const TimedInstruction& other) { EXPECT_EQ(other.port, 0); });
}

TEST_F(LoweringRules, QueueIsItsEntriesAndTheLatch) {
  EXPECT_EQ(machine.memory_queue, 5U) << "4 + 1";
  EXPECT_EQ(machine.sm_requests, 18U);
  // Two credits; the unit takes one in while it holds its own.
  for (const Pipe& pipe : machine.pipes) EXPECT_EQ(pipe.queued, 1U);
}

TEST_F(LoweringRules, GlobalLoadsLeaveWhenTheirAddressIsRead) {
  const double latency = gpu.classes.find("load_global")->second.latency;
  each(InstructionClass::load_global, [&](const TimedInstruction& load) {
    const TimedAccess& access = timed.accesses.at(load.access);
    // Two address registers, two cycles each: 7 + 4; the rest of the class's latency after that.
    EXPECT_EQ(access.collect, ticks(4));
    EXPECT_EQ(access.leave, ticks(11));
    EXPECT_EQ(access.leave + access.after, ticks(latency));
    EXPECT_TRUE(load.variable);
    EXPECT_EQ(load.port_reads, 0) << "it reads at the queue's exit";
  });
}

TEST_F(LoweringRules, SourcesLieInTheirBanks) {
  each(InstructionClass::fp32, [&](const TimedInstruction& op) {
    for (std::uint8_t r = 0; r < op.port_reads; ++r) {
      EXPECT_EQ(op.ports[r].bank, op.ports[r].number % 2);
      EXPECT_LT(op.ports[r].slot, 3);
    }
  });
  EXPECT_EQ(machine.banks, 2U);
  EXPECT_EQ(machine.bank_reads, 1U);
}

// Of attention: two arrivals, one of them guarded, and a wait of some of the block's warps; the
// barrier of all is none of them.
TEST(NamedBarriers, HaveEventsBehindAGuardToo) {
  const Kernel kernel =
      testing::fixture("../../../validation/kernels/hopper_attention.sass", "attention_128");
  const auto gpu = HardwareDatabase(FOREWARP_DATA_DIR).load("h100-sxm-80");
  ASSERT_TRUE(gpu) << gpu.error().line();
  const AccessPatterns patterns(kernel.instructions.size());
  const TimingSource source{
      kernel, *gpu, *gpu->rules_named("default"), patterns, Megahertz(gpu->clock_boost_mhz), {}, 0};
  SmMachine machine = lower_machine(source, PolicyChoice{});
  const TimedKernel timed = lower_kernel(source, machine);
  int with = 0, without = 0;
  for (std::size_t i = 0; i < timed.instructions.size(); ++i) {
    if (kernel.instructions[i].instruction_class != InstructionClass::barrier) continue;
    ++(timed.instructions[i].has_events ? with : without);
  }
  EXPECT_EQ(with, 3);
  EXPECT_EQ(without, 1);
}

// A box of four rows of 64 bytes, each in a line of its own: 4 requests of the engine, as its 256
// bytes need but 2 cycles of shared memory; a row of 256 bytes is in two lines.
TEST(CopyLowering, TheEngineAsksForOneLineAtATime) {
  const Kernel kernel =
      testing::fixture("../../../validation/kernels/hopper_copies.sass", "copy_box");
  auto loaded = HardwareDatabase(FOREWARP_DATA_DIR).load("h100-pcie-80");
  ASSERT_TRUE(loaded) << loaded.error().line();
  AccessPatterns patterns(kernel.instructions.size());
  std::size_t at = 0;
  while (at < patterns.size() && opcode_info(kernel.instructions[at].opcode).mnemonic != "UTMALDG")
    ++at;
  ASSERT_LT(at, patterns.size());
  const auto engine = [&](double lines) {
    patterns.at(at) = {
        .known = true, .bytes_per_lane = 16, .lanes = 16, .sectors = 8, .lines = lines};
    const TimingSource source{
        kernel, *loaded, *loaded->rules_named("default"), patterns, Megahertz(1755), {}, 0};
    SmMachine machine = lower_machine(source, PolicyChoice{});
    const TimedKernel timed = lower_kernel(source, machine);
    return timed.accesses.at(timed.instructions[at].access).engine;
  };
  ASSERT_EQ(loaded->copy.request_cycles, 2);
  EXPECT_EQ(engine(4), 8 * cycle);
  EXPECT_EQ(engine(2), 4 * cycle);
}

}  // namespace
}  // namespace forewarp::tests
