// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What-ifs on real listings: what is free must change exactly what it stands for.
#include "explain/what_if.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "binding/bound_kernel.h"
#include "driver/result_builder.h"
#include "explain/counterfactuals.h"
#include "memory/memory_profile.h"
#include "prediction/trace.h"
#include "saxpy2_case.h"
#include "scattered_case.h"

namespace forewarp::tests {
namespace {

/// No smoothing, no queue, no waves: the time is the larger of latency / warps and the bounds.
PredictOptions plain_model() {
  PredictOptions options;
  options.models = {"volkov"};
  for (const char* name : {"contention", "path", "waves", "burst", "turnaround", "block"}) {
    options.model_options.emplace_back("volkov." + std::string(name), "off");
  }
  options.model_options.emplace_back("volkov.smooth", "0");
  return options;
}

class WhatIfs : public EvaluatedLaunches {
 protected:
  static Prediction now(const Evaluation& evaluation) { return evaluation.runs.front().prediction; }
  static std::uint64_t bit(const Evaluation& evaluation, const std::string& name) {
    const auto& list = evaluation.bound->kernel->resources();
    for (std::size_t r = 0; r < list.size(); ++r) {
      if (list[r].name == name) return std::uint64_t{1} << r;
    }
    ADD_FAILURE() << name;
    return 0;
  }
};

double bound_of(const Evaluation& evaluation, const Prediction& p, const std::string& name) {
  const auto infos = evaluation.runs.front().model->bounds(evaluation.bound->kernel->resources());
  for (std::size_t b = 0; b < p.bound_count; ++b) {
    if (infos[b].name == name) return p.bound_cycles[b];
  }
  return 0;
}

// warps * cycles / (SMs * clock): with the tightest unit free, the next one takes over.
TEST_F(WhatIfs, AFreePipeLeavesTheNextBound) {
  const Evaluation evaluation = must(saxpy2_case(128), plain_model());
  const Prediction p = now(evaluation);
  const double fetch = bound_of(evaluation, p, "fetch"), core = bound_of(evaluation, p, "core");
  ASSERT_GT(fetch, core);
  const double to_ms = 15625.0 * 8 / (13 * evaluation.launch->clock.value() * 1e3);
  EXPECT_NEAR(p.time_ms, fetch * to_ms, 1e-9);
  WhatIf what_if(evaluation, evaluation.runs.front());
  World free;
  free.freed.resources = bit(evaluation, "fetch");
  EXPECT_NEAR(what_if.time_ms(free), core * to_ms, 1e-9);
}

TEST_F(WhatIfs, WhatDoesNotBindChangesNothing) {
  const Evaluation evaluation = must(saxpy2_case(128), plain_model());
  const Prediction p = now(evaluation);
  WhatIf what_if(evaluation, evaluation.runs.front());
  World free;
  EXPECT_DOUBLE_EQ(what_if.time_ms(free), p.time_ms);  // nothing is free
  free.memory_rate = true;
  free.freed.resources = bit(evaluation, "core") | bit(evaluation, "l2_read");
  EXPECT_DOUBLE_EQ(what_if.time_ms(free), p.time_ms);
  for (const auto& row : counterfactuals(evaluation, evaluation.runs.front(), p, what_if)) {
    EXPECT_NE(row.free, std::vector<std::string>{"dram"});
    EXPECT_NE(row.free, std::vector<std::string>{"core"});
  }
}

// The core alone brings nothing while fetching binds; both together leave the schedulers.
TEST_F(WhatIfs, APairIsToldWhereOneAloneBringsLittle) {
  const Evaluation evaluation = must(saxpy2_case(128), plain_model());
  const Prediction p = now(evaluation);
  WhatIf what_if(evaluation, evaluation.runs.front());
  const auto rows = counterfactuals(evaluation, evaluation.runs.front(), p, what_if);
  const auto pair =
      std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.free.size() == 2; });
  ASSERT_NE(pair, rows.end());
  EXPECT_EQ(pair->free, (std::vector<std::string>{"fetch", "core"}));
  EXPECT_NEAR(pair->ratio, bound_of(evaluation, p, "issue") / bound_of(evaluation, p, "fetch"),
              1e-9);
  EXPECT_EQ(pair->then, "warp schedulers");
}

// One block: its time is the latency, which falls by what loads take.
/// A wave of 104 blocks of 256 on 13 SMs: whole shares have nothing to spread, and nothing free
/// costs time.
TEST_F(WhatIfs, NothingFreeCostsTimeAndWholeSharesAreEven) {
  for (const std::uint32_t blocks : {1U, 13U, 20U, 52U, 104U, 130U, 208U, 300U, 15625U}) {
    Case request = saxpy2_case(2);
    request.launch.grid[0] = blocks;
    const Evaluation evaluation = must(request, {});
    const Prediction p = now(evaluation);
    WhatIf what_if(evaluation, evaluation.runs.front());
    for (const auto& row : counterfactuals(evaluation, evaluation.runs.front(), p, what_if)) {
      EXPECT_LT(row.ratio, 1) << blocks << ' ' << row.free.front();
      const bool whole = blocks % 104 == 0 || (blocks < 104 && blocks % 13 == 0);
      EXPECT_FALSE(whole && row.free.front() == "uneven_shares") << blocks;
    }
  }
}

/// 20 blocks on 13 SMs: evenly spread, 7 / 13 of the way from one block on each SM to two. 6
/// blocks: each SM has 6 / 13 of a block, whose warps alone take no less. 130 in waves of 104: 5 /
/// 4 of one.
TEST_F(WhatIfs, EvenSharesLieBetweenWholeOnes) {
  const auto of = [this](std::uint32_t blocks, bool even) {
    Case request = saxpy2_case(128);
    request.launch.grid[0] = blocks;
    const Evaluation evaluation = must(request, {});
    WhatIf what_if(evaluation, evaluation.runs.front());
    World world;
    world.even_shares = even;
    return what_if.time_ms(world);
  };
  constexpr double near = 0.01;  // relative: the smaller grids hit caches slightly differently
  const double expected = of(13, false) + 7.0 / 13 * (of(26, false) - of(13, false));
  EXPECT_NEAR(of(20, true), expected, near * expected);
  EXPECT_DOUBLE_EQ(of(26, true), of(26, false));
  EXPECT_LT(of(6, true), of(6, false));
  EXPECT_NEAR(of(130, true), 1.25 * of(104, false), 2 * near * of(104, false));
}

/// The first screen's what-if is the one that the whole list would have given.
TEST_F(WhatIfs, TheBestAloneIsTheBestOfAll) {
  for (const std::int64_t a : {0, 2, 32, 128}) {
    const Evaluation evaluation = must(saxpy2_case(a), {});
    const Prediction p = now(evaluation);
    const ModelRun& run = evaluation.runs.front();
    WhatIf first(evaluation, run), second(evaluation, run);
    const auto all = counterfactuals(evaluation, run, p, first);
    const auto best = best_counterfactuals(evaluation, run, p, second);
    const auto plain = std::find_if(all.begin(), all.end(), [](const auto& row) {
      return row.free.size() == 1 && !row.free.front().starts_with("perfect");
    });
    ASSERT_NE(plain, all.end()) << a;
    ASSERT_FALSE(best.empty()) << a;
    EXPECT_EQ(best.front().free, plain->free) << a;
    EXPECT_EQ(best.front().time_ms, plain->time_ms) << a;
    EXPECT_EQ(best.front().then, plain->then) << a;
  }
}

TEST_F(WhatIfs, FreeLoadsTakeTheirLatencyAway) {
  Case one = saxpy2_case(4);
  one.launch.grid = {1, 1, 1};
  PredictOptions options = plain_model();
  options.model_options.emplace_back("volkov.waves", "on");
  const Evaluation evaluation = must(one, options);
  const Prediction p = now(evaluation);
  WhatIf what_if(evaluation, evaluation.runs.front());
  World free;
  free.freed.loads = LoadsFrom::at_once;
  const Prediction without = what_if.predict(free);
  EXPECT_NEAR(without.latency_cycles,
              p.latency_cycles - evaluation.runs.front().latency->memory_cycles, 1e-9);
  EXPECT_LT(without.time_ms, p.time_ms);
}

TEST_F(WhatIfs, PerfectCachesMoveNothingBeyondThem) {
  const Evaluation evaluation = must(saxpy2_case(1), plain_model());
  WhatIf what_if(evaluation, evaluation.runs.front());
  World l2, l1;
  l2.perfect = Perfect::l2;
  l1.perfect = Perfect::l1;
  EXPECT_EQ(bound_of(evaluation, what_if.predict(l2), "dram"), 0);
  const Prediction hits = what_if.predict(l1);
  EXPECT_EQ(bound_of(evaluation, hits, "l2_read"), 0);
  EXPECT_GT(bound_of(evaluation, hits, "l2_write"), 0);  // stores go on
}

// 524,288 stores to parts of sectors, in lines of 64 MB: more than wait in L2. Each that
// does not is a place where the rest is read and one that is written, at 1.2 of the former
// (memory.write_place_share).
TEST_F(WhatIfs, PlacesGoWithTheBytes) {
  PredictOptions options = plain_model();
  const Evaluation evaluation = must(scattered_case(std::uint64_t{1} << 30), options);
  const double stores = 524288, warps = stores / 32;
  const double places = evaluation.demand.count(Count::device_places) * warps;
  const memory::MemoryProfile& traffic = *evaluation.trace->memory;
  const double moved = traffic.dram_read_bytes + 1.2 * traffic.dram_write_bytes;
  EXPECT_NEAR(places * 32 / moved, 1, 0.02);
  EXPECT_GT(moved, 0.5 * 2.2 * 32 * stores);  // some of it waits in L2 in the end
  options.overrides = {{"memory.write_place_share", "2"}};
  const Evaluation dearer = must(scattered_case(std::uint64_t{1} << 30), options);
  EXPECT_NEAR(dearer.demand.count(Count::device_places) * warps / places, 3 / 2.2, 2e-3);
  options.overrides = {{"l2.part_share", "1"}, {"l2.bytes", "200000000"}};
  const Evaluation waiting = must(scattered_case(std::uint64_t{1} << 30), options);
  EXPECT_EQ(waiting.demand.count(Count::device_places), 0) << "all of it waits in L2";
  WhatIf what_if(evaluation, evaluation.runs.front());
  World l2, memory;
  l2.perfect = Perfect::l2;
  memory.memory_rate = true;
  EXPECT_GT(bound_of(evaluation, now(evaluation), "dram"), 0);
  EXPECT_EQ(bound_of(evaluation, what_if.predict(l2), "dram"), 0);
  EXPECT_LT(bound_of(evaluation, what_if.predict(memory), "dram"),
            1e-3 * bound_of(evaluation, now(evaluation), "dram"));
}

TEST_F(WhatIfs, StallsAddUpToTheTime) {
  for (const std::int64_t a : {0, 1, 16, 128}) {
    for (const PredictOptions& options : {PredictOptions{}, plain_model()}) {
      const Evaluation evaluation = must(saxpy2_case(a), options);
      WhatIf what_if(evaluation, evaluation.runs.front());
      const auto stalls =
          stall_shares(evaluation, evaluation.runs.front(), now(evaluation), what_if);
      const double sum =
          std::accumulate(stalls.begin(), stalls.end(), 0.0,
                          [](double so_far, const auto& entry) { return so_far + entry.second; });
      EXPECT_NEAR(sum, 1, 1e-12) << a;
      for (const auto& [name, share] : stalls) EXPECT_GE(share, 0) << name;
      EXPECT_GT(stalls.at("issued"), 0);
    }
  }
}

// What free barriers bring is a stall at barriers, and no other.
TEST_F(WhatIfs, StallsAtBarriersAreWhatFreeBarriersBring) {
  Case request;
  request.input =
      std::string(FOREWARP_SOURCE_DIR) + "/tests/fixtures/listings/matmul_tiled.sm_80.sass";
  request.gpu = "a100-sxm-40";
  request.launch.grid = {40, 40, 1};
  request.launch.block = {16, 16, 1};
  NamedArgument width;
  width.name = "n";
  width.value.integer = 640;
  request.launch.arguments.push_back(width);
  PredictOptions options;
  options.models = {"volkov"};
  const Evaluation evaluation = must(request, options);
  const ModelRun& run = evaluation.runs.front();
  WhatIf what_if(evaluation, run);
  const auto stalls = stall_shares(evaluation, run, now(evaluation), what_if);
  World before;  // what is taken away ahead of them
  before.launch = before.even_shares = true;
  World free = before;
  free.freed.barriers = true;
  const double brings = what_if.time_ms(before) - what_if.time_ms(free);
  ASSERT_GT(brings, 0);
  ASSERT_TRUE(stalls.contains("barrier"));
  EXPECT_NEAR(stalls.at("barrier"), brings / now(evaluation).time_ms, 1e-9);
}

// With a = 128 units are what a warp waits for, with one block per SM it is latency.
TEST_F(WhatIfs, BandwidthStallsAreApartFromLatencyStalls) {
  const auto share = [&](const Case& request, bool of_rates) {
    const Evaluation evaluation = must(request, {});
    WhatIf what_if(evaluation, evaluation.runs.front());
    double sum = 0;
    for (const auto& [name, part] :
         stall_shares(evaluation, evaluation.runs.front(), now(evaluation), what_if)) {
      if (name.starts_with("bandwidth_") == of_rates) sum += part;
    }
    return sum;
  };
  Case few = saxpy2_case(128);
  few.launch.grid = {13, 1, 1};
  EXPECT_GT(share(saxpy2_case(128), true), 0.5);
  EXPECT_LT(share(few, true), 0.2);
}

PredictOptions with_model(const std::string& name) {
  PredictOptions options;
  options.models = {name};
  return options;
}

// Their bounds are roofs of their own: the third is device memory, not the third resource.
TEST_F(WhatIfs, BoundsAreFreedByName) {
  for (const char* name : {"volkov-basic", "gajger"}) {
    const Evaluation evaluation = must(saxpy2_case(0), with_model(name));
    const Prediction p = now(evaluation);
    ASSERT_EQ(p.limiting, 2) << name;
    WhatIf what_if(evaluation, evaluation.runs.front());
    const auto rows = counterfactuals(evaluation, evaluation.runs.front(), p, what_if);
    const auto row = std::find_if(rows.begin(), rows.end(), [](const auto& candidate) {
      return candidate.free == std::vector<std::string>{"dram"};
    });
    ASSERT_NE(row, rows.end()) << name;
    World world;
    world.memory_rate = true;
    EXPECT_DOUBLE_EQ(row->time_ms, what_if.time_ms(world)) << name;
    EXPECT_NE(row->then, "device memory") << name;
    const auto stalls = stall_shares(evaluation, evaluation.runs.front(), p, what_if);
    EXPECT_GT(stalls.at("bandwidth_dram"), 0.1) << name;
    EXPECT_EQ(stalls.count("bandwidth_registers"), 0U) << name;
  }
}

// Hong and Kim's formula divides by the latency of memory: without it there is no time.
TEST_F(WhatIfs, WhatHasNoTimeIsDropped) {
  const Evaluation evaluation = must(saxpy2_case(1), with_model("hong-kim"));
  const Prediction p = now(evaluation);
  ASSERT_TRUE(p.applies) << p.why;
  WhatIf what_if(evaluation, evaluation.runs.front());
  World loads;
  loads.freed.loads = LoadsFrom::at_once;
  ASSERT_FALSE(what_if.predict(loads).applies);
  for (const auto& row : counterfactuals(evaluation, evaluation.runs.front(), p, what_if)) {
    EXPECT_TRUE(row.time_ms > 0 && std::isfinite(row.time_ms)) << row.label;
    for (const std::string& id : row.free) EXPECT_NE(id, "memory_latency") << row.label;
  }
  const auto stalls = stall_shares(evaluation, evaluation.runs.front(), p, what_if);
  double sum = 0;
  for (const auto& [name, share] : stalls) {
    EXPECT_GE(share, 0) << name;
    sum += share;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_EQ(stalls.count("issued"), 0U);
  EXPECT_GT(stalls.at("unresolved"), 0);
}

// A parameter set states the rate of memory, and the load at which latency grows, by itself.
TEST_F(WhatIfs, StatedRatesOfMemoryAreFreeToo) {
  for (const auto& [gpu, model] :
       {std::pair<const char*, const char*>{"gtx980@volkov", "volkov-basic"},
        {"gtx980@volkov", "volkov-refined"},
        {"gtx970@gajger", "gajger"}}) {
    Case request = saxpy2_case(0);
    request.gpu = gpu;
    const Evaluation evaluation = must(request, with_model(model));
    const Prediction p = now(evaluation);
    WhatIf what_if(evaluation, evaluation.runs.front());
    World world;
    world.memory_rate = true;
    const Prediction without = what_if.predict(world);
    EXPECT_GT(bound_of(evaluation, p, "dram"), 1) << gpu << model;
    EXPECT_LT(bound_of(evaluation, without, "dram"), 1e-3) << gpu << model;
    EXPECT_LT(without.time_ms, p.time_ms) << gpu << model;
    EXPECT_DOUBLE_EQ(what_if.time_ms({}), p.time_ms) << gpu << model;  // and are back afterwards
  }
}

}  // namespace
}  // namespace forewarp::tests
