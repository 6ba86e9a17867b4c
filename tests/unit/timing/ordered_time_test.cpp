// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Launches whose blocks wait for each other, against what their edges take by hand.
#include "timing/order/ordered_time.h"

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "binding/bind_timing.h"
#include "execution/lowering/kernel_lowering.h"
#include "hardware/database.h"
#include "input/kernel_choice.h"
#include "input/source.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr double l2 = 250, fence = 327, atomic = 270;  // A40, cycles

/// A kernel of validation/order on an A40 at its boost clock.
class Ordered {
 public:
  explicit Ordered(const std::string& kernel) {
    const std::string file =
        std::string(FOREWARP_SOURCE_DIR) + "/validation/order/blocks_in_order.sass";
    auto source = InputSource::open(file);
    KernelChoice choice;
    choice.name = kernel;
    choice.for_sm = 86;
    kernel_ = *read_kernel(*source, choice);
    gpu_ = *HardwareDatabase(FOREWARP_DATA_DIR).load("a40");
    input_.static_shared = kernel_.resources.static_shared.value_or(0);
  }
  Ordered& words(std::uint64_t count) {
    ExecutionBuffer buffer;
    buffer.address = 0x700000000 + input_.buffers.size() * 0x10000000;
    buffer.bytes = 4 * count;
    buffer.content.kind = BufferContent::Kind::zeros;
    buffer.name = std::to_string(input_.buffers.size());
    input_.buffers.push_back(buffer);
    return pass(buffer.address);
  }
  template <class T>
  Ordered& pass(T value) {
    const std::size_t at =
        (input_.parameters.size() + sizeof value - 1) / sizeof value * sizeof value;
    input_.parameters.resize(at + sizeof value);
    std::memcpy(input_.parameters.data() + at, &value, sizeof value);
    return *this;
  }
  Expected<OrderedTime> run(Extent grid, std::uint32_t threads, std::uint64_t resident = 1000,
                            std::uint64_t most = 10'000'000) {
    input_.grid = grid;
    input_.block = {threads, 1, 1};
    const Megahertz clock(1740);
    const auto program = lower_kernel(kernel_);
    const BoundTiming timing =
        bind_timing(kernel_, gpu_, *gpu_.rules_named("default"), memory_latencies(gpu_, clock));
    const std::vector<InstructionCount> counts(kernel_.instructions.size(), each_);
    return ordered_time({*program, input_, resident, clock, most, counts, all_ran_, hottest_}, gpu_,
                        timing);
  }
  /// What the whole launch executes: each instruction so often, by one lane.
  Ordered& executes(double warps) {
    each_ = {warps, warps, warps};
    return *this;
  }
  /// Of the launch only some blocks were executed.
  Ordered& sampled() {
    all_ran_ = false;
    return *this;
  }
  /// So much of what blocks share is one word.
  Ordered& hottest(double share) {
    hottest_ = share;
    return *this;
  }

 private:
  Kernel kernel_;
  Gpu gpu_;
  ExecutionInput input_;
  InstructionCount each_;
  bool all_ran_ = true;
  double hottest_ = 0;
};

double ratio(const Expected<OrderedTime>& time, double cycles) {
  EXPECT_TRUE(time) << (time ? "" : time.error().line());
  return time ? time->cycles / cycles : 0;
}

// 99 edges: half a poll and one that succeeds, a fence, some 40 cycles of instructions.
TEST(OrderedTime, BlocksThatTakeTurnsAreAChain) {
  const auto time = Ordered("turn_by_index").words(1).words(100).run({100, 1, 1}, 32);
  EXPECT_NEAR(ratio(time, 99 * (1.5 * l2 + fence + 40)), 1, 0.15);
  EXPECT_EQ(time->record.chain, 99U);
  EXPECT_GT(time->cycles, 99 * (l2 + fence));
}

TEST(OrderedTime, ALockIsHandedOnOnceARound) {
  const auto time = Ordered("spin_lock").words(1).words(1).pass(4U).run({64, 1, 1}, 32);
  EXPECT_NEAR(ratio(time, 64 * 4 * (atomic + 2 * fence + l2 + 40)), 1, 0.1);
}

TEST(OrderedTime, PollingByAtomicsIsAChainToo) {
  const auto time = Ordered("turn_by_atomic").words(1).words(1).words(100).run({100, 1, 1}, 32);
  EXPECT_NEAR(ratio(time, 99 * (1.5 * atomic + fence + 40)), 1, 0.15);
}

// Windows of 32 blocks: four steps for 128 blocks, no chain of 127.
TEST(OrderedTime, LookingBackIsNoChainOfAllBlocks) {
  const auto time =
      Ordered("look_back").words(32768).words(32768).words(1).words(256).run({128, 1, 1}, 256);
  ASSERT_TRUE(time);
  EXPECT_LT(time->cycles, 128 * l2 / 4);
  EXPECT_GT(time->cycles, atomic + l2);
}

// Two edges a round without a fence.
TEST(OrderedTime, TwoBlocksHandAWordToAndFro) {
  const auto time = Ordered("ping_pong").words(1).pass(100U).run({2, 1, 1}, 32);
  EXPECT_NEAR(ratio(time, 200 * (1.5 * l2 + 40)), 1, 0.1);
  EXPECT_EQ(time->record.chain, 199U);
}

// Measured: 0.81 us for each step of the whole grid (RRZE gpu-benches, A40).
TEST(OrderedTime, ABarrierOfTheGridTakesThreeTripsAndFences) {
  const auto ten = Ordered("counter_barrier").words(1).pass(10U).run({84, 1, 1}, 256);
  const auto twenty = Ordered("counter_barrier").words(1).pass(20U).run({84, 1, 1}, 256);
  ASSERT_TRUE(ten && twenty);
  EXPECT_NEAR((twenty->cycles - ten->cycles) / 10 / 1740, 0.81, 0.12);
  EXPECT_EQ(twenty->record.chain, 20U);
}

// 100,000 cycles, or microseconds, pass whatever a pass of the loop takes.
TEST(OrderedTime, ClocksAndTimersSeeTimePass) {
  const auto cycles =
      Ordered("clock_wait").words(84).pass(std::int64_t{100000}).run({84, 1, 1}, 32);
  EXPECT_NEAR(ratio(cycles, 100000), 1, 0.02);
  const auto timer =
      Ordered("timer_wait").words(84).pass(std::uint64_t{100000}).run({84, 1, 1}, 32);
  EXPECT_NEAR(ratio(timer, 100000 * 1.74), 1, 0.02);
}

// 64 blocks that start in step: with k of them left, an attempt comes after a (k + 1)-th of the
// period.
TEST(OrderedTime, SleepersFallOutOfStep) {
  const auto time = Ordered("sleeping_lock").words(1).words(1).pass(1000U).run({64, 1, 1}, 32);
  double harmonic = 0;
  for (int k = 1; k < 64; ++k) harmonic += 1.0 / (k + 1);
  const double held = atomic + 2 * fence + l2 + 40, period = 1740 + atomic + 40;
  EXPECT_NEAR(ratio(time, 64 * held + harmonic * period), 1, 0.15);
}

// The first item passes 15 blocks, behind it one item comes per poll.
TEST(OrderedTime, APipelineHandsItemsFromBlockToBlock) {
  const auto time = Ordered("pipeline").words(16 * 32).pass(50U).run({16, 1, 1}, 32);
  EXPECT_NEAR(ratio(time, 15 * (1.5 * l2 + 40) + 50 * (l2 + 40)), 1, 0.15);
}

TEST(OrderedTime, SleepsAndFencesTakeTheirTime) {
  const auto sleeps = Ordered("sleeps").words(84).pass(100U).pass(1000U).run({84, 1, 1}, 32);
  EXPECT_NEAR(ratio(sleeps, 100 * 1000 * 1.74), 1, 0.05);
  const auto fences = Ordered("device_fences").words(84).pass(100U).run({84, 1, 1}, 32);
  EXPECT_NEAR(ratio(fences, 100 * (fence + 24)), 1, 0.05);
}

// 84 + 3 of 87 blocks: the three that cannot start are waited for.
TEST(OrderedTime, ABarrierOfMoreBlocksThanFitIsADeadlock) {
  const auto time = Ordered("counter_barrier").words(1).pass(3U).run({87, 1, 1}, 256, 84);
  ASSERT_TRUE(time);
  ASSERT_TRUE(time->record.deadlock);
  const std::string& found = time->record.deadlock->found;
  EXPECT_NE(found.find("84 blocks are resident and wait, 3 others cannot start"), std::string::npos)
      << found;
}

// A word's polls are served one after the other, 1.27 cycles each, and come once in a trip and some
// instructions at most. What is more waits: the write behind them all, and the poll that sees it
// behind half of them.
double edges_of_pollers(int from, int to) {
  double cycles = 0;
  for (int left = from; left < to; ++left)
    cycles += 1.5 * l2 + fence + 40 + 1.5 * std::max(0.0, 1.27 * left - (l2 + 40));
  return cycles;
}

TEST(OrderedTime, AWriteWaitsBehindThePollsOfItsWord) {
  const auto run = [](std::uint32_t blocks) {
    return Ordered("turn_by_index").words(1).words(800).run({blocks, 1, 1}, 32);
  };
  const auto some = run(400), many = run(800);
  ASSERT_TRUE(some && many);
  EXPECT_NEAR(ratio(many, edges_of_pollers(0, 800)), 1, 0.15);
  EXPECT_NEAR((many->cycles - some->cycles) / edges_of_pollers(400, 800), 1, 0.1);
}

TEST(OrderedTime, AChainOfManyPollersThatWasCutGoesOnAtItsPace) {
  const auto whole = Ordered("turn_by_index").words(1).words(800).run({800, 1, 1}, 32);
  const auto cut =
      Ordered("turn_by_index").words(1).words(800).run({800, 1, 1}, 32, 1000, 3'000'000);
  ASSERT_TRUE(whole && cut);
  EXPECT_LT(cut->followed, 0.5);
  EXPECT_NEAR(cut->cycles / whole->cycles, 1, 0.05);
}

// A turn passes through blocks that start one after another in few places, as fast as in many.
TEST(OrderedTime, AChainThatWasCutGoesOnAtItsPace) {
  const auto whole = Ordered("turn_by_index").words(1).words(4000).run({4000, 1, 1}, 32, 64);
  const auto cut = Ordered("turn_by_index").words(1).words(4000).run({4000, 1, 1}, 32, 64, 300'000);
  ASSERT_TRUE(whole && cut);
  EXPECT_EQ(whole->followed, 1);
  EXPECT_LT(cut->followed, 0.5);
  EXPECT_NEAR(cut->cycles / whole->cycles, 1, 0.02);
}

// All 400 wait from the beginning, and what they poll is nearly all that they execute: with few of
// them enough turns pass.
TEST(OrderedTime, AChainThatWasCutAtItsBeginningGoesOnAtItsPace) {
  const auto run = [](std::uint64_t most) {
    return Ordered("turn_by_index")
        .words(1)
        .words(400)
        .executes(1e4)
        .sampled()
        .run({400, 1, 1}, 32, 1000, most);
  };
  const auto whole = run(10'000'000), cut = run(60'000);
  ASSERT_TRUE(whole && cut);
  EXPECT_LT(cut->followed, 0.1);
  EXPECT_NEAR(cut->cycles / whole->cycles, 1, 0.05);
}

// No block ends before the cut, and most of what was executed until then are attempts that fail:
// the launch goes on at the pace of what its lanes write.
TEST(OrderedTime, ALockThatWasCutGoesOnAtThePaceOfWrites) {
  const double blocks = 16, rounds = 64;
  const auto run = [&](std::uint64_t most) {
    return Ordered("spin_lock")
        .words(1)
        .words(1)
        .pass(std::uint32_t{64})
        .executes(blocks * rounds)
        .run({16, 1, 1}, 32, 1000, most);
  };
  const auto whole = run(10'000'000), cut = run(whole->instructions / 4);
  ASSERT_TRUE(whole && cut);
  EXPECT_LT(cut->followed, 0.5);
  EXPECT_NEAR(cut->cycles / whole->cycles, 1, 0.05);
}

// 64 lanes take 64 locks, half of the launch one of them: it is handed on at the pace of one,
// whereas all of them together are taken at 64 times that.
TEST(OrderedTime, TheHottestLockIsHandedOnAlone) {
  const auto run = [](double hottest) {
    return Ordered("bucket_locks")
        .words(256)
        .words(256)
        .pass(std::uint32_t{64})
        .executes(320 * 256)
        .hottest(hottest)
        .run({320, 1, 1}, 256, 1000, 6'000'000);
  };
  const auto even = run(1 / 64.0), skewed = run(0.5);
  ASSERT_TRUE(even && skewed);
  EXPECT_LT(even->followed, 0.7);
  EXPECT_NEAR(skewed->cycles / even->cycles, 32, 8);
}

// One block after the other hands its sum on, beside 512 words of output: no wait is lost.
TEST(OrderedTime, OutputDoesNotHideAChain) {
  const auto run = Ordered("chained_scan")
                       .words(512'000)
                       .words(512'000)
                       .words(2000)
                       .words(2000)
                       .run({2000, 1, 1}, 256);
  ASSERT_TRUE(run);
  EXPECT_NEAR(static_cast<double>(run->record.chain), 1999, 20);
}

// Without a write there are only instructions to go by.
TEST(OrderedTime, WhatWritesNothingYetGoesOnInTheShareOfItsInstructions) {
  const auto run = [](double each) {
    return Ordered("spin_lock")
        .words(1)
        .words(1)
        .pass(std::uint32_t{64})
        .executes(each)
        .run({16, 1, 1}, 32, 1000, 400);
  };
  const auto once = run(1e6), twice = run(2e6);
  ASSERT_TRUE(once && twice);
  EXPECT_NEAR(once->cycles * once->followed, once->record.end, 1e-6 * once->record.end);
  EXPECT_NEAR(twice->cycles / once->cycles, 2, 1e-6);
}

}  // namespace
}  // namespace forewarp::tests
