// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/volkov/volkov_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "model_case.h"

namespace forewarp::tests {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;
const Options basic{{"volkov.contention", "off"}, {"volkov.path", "off"},
                    {"volkov.smooth", "0"},       {"volkov.waves", "off"},
                    {"volkov.burst", "off"},      {"volkov.turnaround", "off"}};

Options with(Options options, const std::string& name, const std::string& value) {
  options.emplace_back("volkov." + name, value);
  return options;
}

// 32 resident warps over 1000 cycles = 0.032 warps/cycle/SM, below 1/10: latency bound.
// 8000 warps / (0.032 * 10 SMs) = 25000 cycles = 0.025 ms at 1000 MHz.
TEST(VolkovModel, FewWarpsAreLatencyBound) {
  const Prediction p = ModelCase().predict(VolkovModel(), basic);
  EXPECT_DOUBLE_EQ(p.warp_throughput, 32.0 / 1000);
  EXPECT_DOUBLE_EQ(p.time_ms, 0.025);
  EXPECT_EQ(p.limiting, Prediction::latency_limit);
  EXPECT_DOUBLE_EQ(p.needed_warps, 1000.0 / 10);
}

// 200 warps would pass the knee at 100: 8000 warps * 10 cycles / 10 SMs = 8000 cycles.
TEST(VolkovModel, ManyWarpsMeetTheTightestResource) {
  const Prediction p = ModelCase().predict(VolkovModel(), with(basic, "occupancy", "200"));
  EXPECT_DOUBLE_EQ(p.time_ms, 0.008);
  EXPECT_EQ(p.limiting, 0);
}

// 384 bytes a warp at 10 bytes/cycle/SM: 38.4 cycles, the tightest; rate 100 GB/s.
TEST(VolkovModel, BytesAreABoundByTheReachedBandwidth) {
  ModelCase c;
  c.demand.count(Count::read_bytes) = 256;
  c.demand.count(Count::write_bytes) = 128;
  c.demand.count(Count::load_requests) = 2;
  const Prediction p = c.predict(VolkovModel(), with(basic, "occupancy", "64"));
  EXPECT_DOUBLE_EQ(p.bound_cycles[2], 38.4);
  EXPECT_DOUBLE_EQ(p.warp_throughput, 1 / 38.4);
  EXPECT_NEAR(p.memory_gbs, 100, 1e-9);
  EXPECT_EQ(p.limiting, 2);
}

// What the chip has once, 2000 cycles a warp if each SM has its tenth: the 8 warps of one block
// take 8 x 2000 / 10 of it after their 1000 cycles; all 8000 warps 8000 x 2000 / 10.
TEST(VolkovModel, WhatTheChipHasOnceIsSharedByAllSms) {
  ModelCase c;
  c.resources.push_back({"l2_slice", "busiest slice of L2", ResourceScope::chip});
  c.demand = Demand(3);
  c.demand.cycles(2) = 2000;
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), basic).time_ms, 8000 * 200 / 1e6);
  c.launch.blocks = 1;
  Options waves = basic;
  waves[3].second = "on";
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), waves).time_ms, (1000 + 8 * 200) / 1e6);
}

// 96 of 384 bytes are local memory's and move at half the rate: 28.8 + 96 / 5 cycles.
TEST(VolkovModel, LocalMemoryReachesLessOfTheBandwidth) {
  ModelCase c;
  c.demand.count(Count::read_bytes) = 256;
  c.demand.count(Count::write_bytes) = 128;
  c.demand.count(Count::local_device_bytes) = 96;
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), basic).bound_cycles[2], 38.4);
  c.gpu.memory.local_share = 0.5;
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), basic).bound_cycles[2], 28.8 + 96 / 5.0);
}

// 32 places of 32 bytes take as long as 32 * min(128, reached GB/s * place_ns / 3 channels) bytes.
TEST(VolkovModel, PlacesTakeTheTimeOfBytes) {
  ModelCase c;
  c.demand.count(Count::read_bytes) = 1024;
  const double streams = c.predict(VolkovModel(), basic).bound_cycles[2];
  c.demand.count(Count::device_places) = 32;
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), basic).bound_cycles[2], streams) << "no such fact";
  c.gpu.line_bytes = 128;
  c.gpu.memory.bus_bits = 96;
  c.gpu.memory.channel_bits = 32;
  const double reached = c.gpu.memory.theory_gbs * c.gpu.memory.read_share;
  for (const double bytes : {16.0, 80.0, 128.0, 300.0}) {
    c.gpu.memory.place_ns = bytes * 3 / reached;
    const double moved = std::max(1024.0, 32 * std::min(128.0, bytes));
    EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), basic).bound_cycles[2], streams * moved / 1024)
        << bytes;
  }
  // Beside writes they take no longer, whatever bytes do: 50 GB/s are 5 bytes per cycle.
  c.gpu.memory.read_share = 0.5;
  c.gpu.memory.place_ns = 128 * 3 / 50.0;
  c.demand.count(Count::write_bytes) = 1024;
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), basic).bound_cycles[2], 32 * 128 / 5.0);
}

// x (K + b u/(1-u)) = n with u = x/c has the root of (K-b) x^2 - (K c + n) x + n c = 0.
TEST(VolkovModel, ContentionSolvesTheQuadratic) {
  ModelCase c;
  c.gpu.memory.contention_read = 22;
  c.gpu.memory.contention_read_share = 1;
  c.demand.count(Count::read_bytes) = 128;
  c.demand.count(Count::load_requests) = 1;
  const double pole = 10.0 / 128;  // warps per cycle at 10 bytes per cycle
  for (const double n : {4.0, 32.0, 64.0, 500.0}) {
    const double k = 1000;
    const double p = k - 22, q = -(k * pole + n), r = n * pole;
    const double root = (-q - std::sqrt(q * q - 4 * p * r)) / (2 * p);
    Options options = with(basic, "contention", "on");
    const Prediction got = c.predict(VolkovModel(), with(options, "occupancy", std::to_string(n)));
    EXPECT_NEAR(got.warp_throughput, std::min(root, 1.0 / 10), 1e-9) << n;
  }
}

TEST(VolkovModel, PostedStoresDoNotQueue) {
  ModelCase c;
  c.gpu.memory.contention_mixed = 500;
  c.demand.count(Count::write_bytes) = 128;
  const Prediction p = c.predict(VolkovModel(), with(basic, "contention", "on"));
  EXPECT_DOUBLE_EQ(p.warp_throughput, 32.0 / 1000);
}

// 200 warps where 10 cycles each are the limit: 2000 cycles resident, of which a lone warp takes
// 1000: 40 issue, 360 wait for results, 600 for memory. The other 1000 wait for the schedulers.
TEST(VolkovModel, TheStackOfAWarpAddsUpToItsResidence) {
  ModelCase c;
  c.gpu.issue_interval = 1;
  c.latency.memory_cycles = 600;
  const OptionValues options = *VolkovModel().parse_options(with(basic, "occupancy", "200"));
  const Prediction p = VolkovModel().predict(c.input(), options);
  std::vector<std::pair<std::string, double>> parts;
  for (const StackPart& part : VolkovModel().stack(c.input(), options, p)) {
    parts.emplace_back(part.name, part.cycles);
  }
  const std::vector<std::pair<std::string, double>> expected{
      {"issue", 40}, {"dependence", 360}, {"memory", 600}, {"bandwidth_issue", 1000}};
  EXPECT_EQ(parts, expected);
}

// One block on one of ten SMs: nothing to overlap with, so the block's latency is the time.
TEST(VolkovModel, OneBlockTakesItsLatencyNotASteadyRate) {
  ModelCase c;
  c.launch.blocks = 1;
  const Prediction p = c.predict(VolkovModel(), with(basic, "waves", "on"));
  EXPECT_DOUBLE_EQ(p.time_ms, 1000 / 1e6);
}

// 40 blocks fill 10 SMs * 4; the 41st needs a round of its own: 1000 more cycles.
TEST(VolkovModel, OneBlockMoreThanAWaveCostsATail) {
  ModelCase c;
  c.launch.blocks = 40;
  const Options waves = with(basic, "waves", "on");
  const double full = c.predict(VolkovModel(), waves).time_ms;
  c.launch.blocks = 41;
  EXPECT_DOUBLE_EQ(full, 1000 / 1e6);
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), waves).time_ms, 2000 / 1e6);
}

TEST(VolkovModel, TimeNeverFallsWhenBlocksAreAdded) {
  ModelCase c;
  c.demand.count(Count::read_bytes) = 128;
  c.demand.count(Count::load_requests) = 1;
  c.gpu.memory.contention_read = 22;
  double before = 0;
  for (int blocks = 1; blocks < 200; ++blocks) {
    c.launch.blocks = blocks;
    const double now = c.predict(VolkovModel()).time_ms;
    EXPECT_GE(now, before - 1e-12) << blocks;
    before = now;
  }
}

// A block alone takes 1000 cycles, 80 of them at the schedulers. Mean value analysis: 80 cycles'
// stay grow by the blocks that are there, 0.08, 0.1717, 0.2774, so that four blocks take 1022.2.
TEST(VolkovModel, BlocksMeetAtTheSchedulers) {
  ModelCase c;
  c.resources[0].scope = c.resources[1].scope = ResourceScope::scheduler;
  c.latency = {900, true, 1000};
  EXPECT_NEAR(c.predict(VolkovModel(), basic).warp_throughput, 32 / 1022.191, 1e-6);
  c.launch.blocks_per_sm = 1;
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), basic).warp_throughput, 8 / 1000.0);
  c.latency.block_cycles = 0;
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), basic).warp_throughput, 8 / 900.0);
}

// One warp has one scheduler of four: 40 cycles there, with a fourth of the other blocks: 0.04,
// 0.0808 and 0.1223 are there in all, so that four take 960 + 40 * (1 + 0.1223 / 4).
TEST(VolkovModel, ABlockOfOneWarpKeepsToItsScheduler) {
  ModelCase c;
  c.resources[0].scope = c.resources[1].scope = ResourceScope::scheduler;
  c.latency = {900, true, 1000};
  c.launch.warps_per_block = 1;
  EXPECT_NEAR(c.predict(VolkovModel(), basic).warp_throughput, 4 / 1001.22324, 1e-8);
}

// What the memory unit serves beside the schedulers is a second queue.
TEST(VolkovModel, BlocksMeetAtTheMemoryUnitToo) {
  ModelCase c;
  c.resources[0].scope = ResourceScope::scheduler;
  c.latency = {900, true, 1000};
  c.launch.blocks_per_sm = 2;
  // 80 and 64 cycles: the second block finds 0.08 and 0.064 of the first there.
  const double two = (1000 - 80 - 64) + 80 * 1.08 + 64 * 1.064;
  EXPECT_NEAR(c.predict(VolkovModel(), basic).warp_throughput, 16 / two, 1e-12);
}

/// Two blocks of 1000 cycles, 80 of them at the schedulers, that read 128 bytes a warp.
ModelCase meeting_and_queueing(double growth) {
  ModelCase c;
  c.resources[0].scope = c.resources[1].scope = ResourceScope::scheduler;
  c.latency = {900, true, 1000};
  c.launch.blocks_per_sm = 2;
  c.gpu.memory.contention_read = growth;
  c.gpu.memory.contention_read_share = 1;
  c.demand.count(Count::read_bytes) = 128;
  c.demand.count(Count::load_requests) = 2;
  return c;
}

// Blocks that meet at the schedulers and queue for device memory as well: 920 cycles and the
// queue's D elsewhere, 80 at the schedulers, where the second finds 80 / (1000 + D) of the first. D
// follows from the pace: 220 u / (1 - u) a round trip, u = 128 bytes a warp over 10 bytes a cycle.
TEST(VolkovModel, BlocksThatMeetQueueForDeviceMemoryBesides) {
  for (const double rounds : {1.0, 2.0}) {
    ModelCase c = meeting_and_queueing(220);
    c.gpu.memory.latency = 450 / rounds;  // of 900 cycles: two round trips, or the two loads
    c.gpu.memory.latency_mhz = rounds == 1 ? 400 : 1000;
    double x = 0;
    for (int i = 0; i < 200; ++i) {
      const double u = x * 128 / 10;
      const double queue = rounds * 220 * u / (1 - u);
      x = 16 / (920 + queue + 80 * (1 + 80 / (1000 + queue)));
    }
    const Options queued = with(basic, "contention", "on");
    EXPECT_NEAR(c.predict(VolkovModel(), queued).warp_throughput, x, 1e-9) << rounds;
    // Without contention only the schedulers are shared.
    const double met = 16 / (920 + 80 * 1.08);
    EXPECT_NEAR(c.predict(VolkovModel(), basic).warp_throughput, met, 1e-12) << rounds;
  }
}

// 6400 bytes a warp take 640 cycles, more than 1000 cycles for 16 warps: the pace is that of device
// memory, however long its queue.
TEST(VolkovModel, AQueueIsNoSlowerThanDeviceMemoryItself) {
  ModelCase c = meeting_and_queueing(0.001);
  c.demand.count(Count::read_bytes) = 6400;
  const Prediction p = c.predict(VolkovModel(), with(basic, "contention", "on"));
  EXPECT_NEAR(p.warp_throughput, 1 / 640.0, 1e-8);
}

// One block alone on the chip meets nobody, and its traffic is a fortieth of a full chip's.
TEST(VolkovModel, ATailQueuesForItsOwnTrafficAlone) {
  ModelCase c = meeting_and_queueing(220);
  c.demand.count(Count::read_bytes) = 1024;
  c.launch.blocks = 1;
  Options waves = with(basic, "contention", "on");
  waves[3].second = "on";
  const Options alone = waves;
  waves[0].second = "off";
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), alone).time_ms,
                   c.predict(VolkovModel(), waves).time_ms);
}

TEST(VolkovModel, TimingAddsItsConstant) {
  ModelCase c;
  const double device = c.predict(VolkovModel(), basic).time_ms;
  c.launch.added = Microseconds(16.5);
  EXPECT_NEAR(c.predict(VolkovModel(), basic).time_ms - device, 0.0165, 1e-12);
}

TEST(VolkovModel, RefusesAnOptionThatItLacksAndNamesThoseItHas) {
  const auto values = VolkovModel().parse_options({{"volkov.contentoin", "on"}});
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().line(),
            "option volkov.contentoin: the model volkov has no such option; expected contention, "
            "path, smooth, waves, turnaround, burst, occupancy, block");
  const auto word = VolkovModel().parse_options({{"volkov.waves", "maybe"}});
  ASSERT_FALSE(word);
  EXPECT_EQ(
      word.error().line(),
      "option volkov.waves: 'maybe' is not a value of it; expected off|on; 'forewarp model show "
      "volkov' tells what it does");
}

// 800 of 1000 cycles wait for memory; then 8 warps want a unit for 50 cycles each: the last is
// through after 800 + 400 cycles, if its own 200 pass meanwhile.
TEST(VolkovModel, WarpsOfABlockWaitTogetherAndShareTheUnits) {
  ModelCase c;
  c.latency.memory_cycles = 800;
  c.demand.cycles(0) = 50;
  const Options eight = with(basic, "occupancy", "8");
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), eight).warp_throughput, 8.0 / 1000);
  const Options burst = with(eight, "burst", "on");
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), burst).warp_throughput, 8.0 / 1200);
  c.demand.cycles(0) = 20;  // 160 cycles pass within the warp's own 200
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), burst).warp_throughput, 8.0 / 1000);
}

// Four blocks of 8 warps on each of 10 SMs at once: 800 cycles of waiting, then 32 * 50.
TEST(VolkovModel, ASingleWaveWaitsAsOne) {
  ModelCase c;
  c.launch.blocks = 40;
  c.latency.memory_cycles = 800;
  c.demand.cycles(0) = 50;
  const Options waves = with(with(basic, "waves", "on"), "burst", "on");
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), waves).time_ms, (800 + 32 * 50) / 1e6);
}

// One block of 8 warps on each SM hits L1: 200 cycles a warp at the interface, 200 through the
// return path. The block alone took 1700 cycles, in which its data came in: nothing is added to
// them.
TEST(VolkovModel, ABlockFollowedAloneHoldsTheWayOfItsOwnWarps) {
  ModelCase c;
  c.launch.blocks = 10;
  c.launch.blocks_per_sm = 1;
  c.resources = {{"lsu", "load/store interface"}, {"l1_return", "L1 return path"}};
  c.demand.cycles(0) = c.demand.cycles(1) = 200;
  c.latency.block_cycles = 1700;
  Options options = with(with(basic, "waves", "on"), "burst", "on");
  options = with(with(options, "path", "on"), "block", "on");
  EXPECT_NEAR(c.predict(VolkovModel(), options).time_ms, 1700 / 1e6, 1e-12);
}

// As above, and 50 more cycles of L1's data stage, all of them hits: nobody waits for them from
// elsewhere, so they pass while the schedulers work, and not after. What is filled from L2 comes on
// top: in the only round trip nothing hides it.
TEST(VolkovModel, HitsAreAUnitAndNoWay) {
  ModelCase c;
  c.launch.blocks = 40;
  c.latency.memory_cycles = 800;
  c.resources.push_back({"l1_return", "L1 data stage"});
  c.resources.push_back({"l1_fill", "L1 fill from L2"});
  c.demand = Demand(4);
  c.demand.cycles(0) = 50;
  c.demand.cycles(2) = 50;
  const Options waves = with(with(with(basic, "waves", "on"), "burst", "on"), "path", "on");
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), waves).time_ms, (800 + 32 * 50) / 1e6);
  c.demand.cycles(2) = 60;
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), waves).time_ms, (800 + 32 * 60) / 1e6);
  c.gpu.l1.return_bytes = 128;
  c.gpu.l1.fill_bytes = 64;
  c.demand.cycles(3) = 60;  // half of it is the way back of the same data: 60 - 30 are hits
  EXPECT_DOUBLE_EQ(c.predict(VolkovModel(), waves).time_ms, (800 + 32 * 50 + 32 * 60) / 1e6);
}

// 128 cycles a warp at 100 GB/s, 256 at 50: 8000 warps on 10 SMs, a quarter of them slow.
TEST(VolkovModel, AStretchInASlowSegmentTakesItsShare) {
  ModelCase c;
  c.demand.count(Count::read_bytes) = 1280;
  c.demand.count(Count::load_requests) = 10;
  const Options many = with(basic, "occupancy", "500");
  EXPECT_NEAR(c.predict(VolkovModel(), many).time_ms, 800 * 128 / 1e6, 1e-12);
  c.launch.stretches[0] = {0.25, 50};
  EXPECT_NEAR(c.predict(VolkovModel(), many).time_ms, 800 * (0.25 * 256 + 0.75 * 128) / 1e6, 1e-12);
}

}  // namespace
}  // namespace forewarp::tests
