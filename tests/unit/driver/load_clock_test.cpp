// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/load_clock.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "driver/predictor.h"
#include "request/argument_text.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// 50 W whatever it does, 20 W of clocks, 10 pJ a thread in FP32 and 4 pJ in anything else.
Gpu board() {
  Gpu gpu;
  gpu.limits.warp_lanes = 32;
  gpu.sector_bytes = 32;
  gpu.power.base_w = 50;
  gpu.power.clock_w = 20;
  gpu.energy.classes = {{"fp32", 10}};
  gpu.energy.other = 4;
  gpu.energy.l2_byte = 2;
  gpu.energy.memory_byte = 50;
  gpu.energy.quiet_share = 0.25;
  return gpu;
}

TEST(LoadClock, EnergiesOfInstructionsL2AndMemory) {
  Demand demand;
  demand.of_class(InstructionClass::fp32) = 100;
  demand.of_class(InstructionClass::integer) = 50;
  demand.count(Count::load_sectors) = 8;
  demand.count(Count::store_sectors) = 4;
  demand.count(Count::read_bytes) = 256;
  demand.count(Count::write_bytes) = 128;
  const PoweredWork work = powered_work(board(), demand, 1e6, true);
  // (100 x 10 + 50 x 4) pJ x 32 lanes + 12 sectors x 32 bytes x 2 pJ, of 1e6 warps
  EXPECT_NEAR(work.dynamic_joules, (1200.0 * 32 + 12 * 32 * 2) * 1e-6, 1e-15);
  EXPECT_NEAR(work.memory_joules, 384 * 50 * 1e-6, 1e-15);
  const PoweredWork quiet = powered_work(board(), demand, 1e6, false);
  EXPECT_NEAR(quiet.dynamic_joules, (1200.0 * 32 * 0.25 + 12 * 32 * 2) * 1e-6, 1e-15);
}

// 2000 operations of a warp at 0.5 pJ beside 50 integers; the class of their instructions costs
// nothing more.
TEST(LoadClock, EnergyOfMatrixOperations) {
  Gpu gpu = board();
  gpu.facts["energy.matrix_operation"].value = 0.5;
  Demand demand;
  demand.of_class(InstructionClass::integer) = 50;
  demand.of_class(InstructionClass::tensor_half) = 3;
  demand.count(Count::matrix_operations) = 2000;
  EXPECT_NEAR(powered_work(gpu, demand, 1e6, true).dynamic_joules,
              (2000 * 0.5 + 50 * 4 * 32) * 1e-6, 1e-15);
  EXPECT_NEAR(powered_work(gpu, demand, 1e6, false).dynamic_joules,
              (2000 * 0.5 + 50 * 4 * 32) * 0.25 * 1e-6, 1e-15);
  gpu.facts.clear();
  EXPECT_NEAR(powered_work(gpu, demand, 1e6, true).dynamic_joules, 53 * 4 * 32 * 1e-6, 1e-15);
}

TEST(LoadClock, PowerFallsWithTheClockButForMemory) {
  const PoweredWork work{0.1, 0.5, 8, 3};
  const PowerDraw draw = power_draw(board(), work);
  EXPECT_NEAR(draw.watts, 50 + 20 * 0.25 + (8 * 0.5 + 3) / 0.1, 1e-12);
  EXPECT_NEAR(draw.joules, draw.watts * 0.1, 1e-12);
}

TEST(LoadClock, DataAreQuietOnlyWhereTheyAreKnownToBe) {
  BoundArguments arguments;
  EXPECT_TRUE(data_change(arguments));
  arguments.buffers.resize(2);
  arguments.buffers[0].content.kind = BufferContent::Kind::zeros;
  EXPECT_FALSE(data_change(arguments)) << "the other may be written only";
  arguments.buffers[1].content.kind = BufferContent::Kind::random;
  EXPECT_TRUE(data_change(arguments));
}

/// 10240 products of four warps, which `hw.tensor.clock_share` and the limit slow down.
class MatrixClock : public testing::Test {
 protected:
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};

  Result predict(const char* share, const char* limit,
                 ClockChoice clock = {ClockChoice::Kind::stated, 1800}) {
    Case request;
    request.input = std::string(FOREWARP_SOURCE_DIR) + "/validation/kernels/hopper_products.sass";
    request.kernel = "product_group";
    request.gpu = "h200-sxm";
    request.launch.grid = {16, 16, 1};
    request.launch.block = {128, 1, 1};
    const char* const map = "tensor:bf16:2048x2048:box=64x128:swizzle=128B:";
    const std::string texts[] = {
        "i32:2048",      "i32:2048", "i32:2048", map + std::string("A"), map + std::string("B"),
        "buffer:8388608"};
    for (std::size_t i = 0; i < std::size(texts); ++i) {
      NamedArgument argument;
      argument.index = static_cast<std::uint32_t>(i);
      argument.value = *request::parse_argument_value(texts[i], "test");
      request.launch.arguments.push_back(argument);
    }
    PredictOptions options;
    options.clock = clock;
    options.overrides = {{"tensor.clock_share", share}, {"power.limit_w", limit}};
    auto result = predictor.predict(request, "", options, {});
    EXPECT_TRUE(result) << (result ? "" : result.error().line());
    return result ? std::move(*result) : Result{};
  }
};

TEST_F(MatrixClock, MatrixInstructionsTakeTheirShareOfTheClock) {
  EXPECT_EQ(predict("1", "5000").gpu.clock_mhz, 1800);
  const Result slowed = predict("0.9", "5000");
  EXPECT_NEAR(slowed.gpu.clock_mhz, 1620, 1e-9);
  const auto named = [](const Result::Assumption& a) { return a.id == "matrix-clock"; };
  EXPECT_EQ(std::count_if(slowed.assumptions.begin(), slowed.assumptions.end(), named), 1);
}

TEST_F(MatrixClock, HeavyProductsMeetTheLimit) {
  const Result held = predict("0.9", "300");
  EXPECT_LT(held.gpu.clock_mhz, 1620);
  EXPECT_NEAR(held.power.watts / held.power.limit_w, 1, 0.011);
}

TEST_F(MatrixClock, TheBoostClockMeetsTheLimitToo) {
  const Result held = predict("0.9", "300", {ClockChoice::Kind::boost, 0});
  EXPECT_NEAR(held.power.watts / held.power.limit_w, 1, 0.011);
}

class LoadClockOf : public testing::Test {
 protected:
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};

  Result predict(const char* limit) {
    Case request;
    request.input = std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass";
    request.gpu = "gtx970";
    request.launch.grid = {15625, 1, 1};
    request.launch.block = {256, 1, 1};
    for (const auto& [name, value] :
         {std::pair<const char*, std::int64_t>{"n", 4000000}, {"a", 256}}) {
      NamedArgument argument;
      argument.name = name;
      argument.value.integer = value;
      request.launch.arguments.push_back(argument);
    }
    PredictOptions options;
    options.clock = ClockChoice{ClockChoice::Kind::load, 0};
    options.overrides = {{"power.limit_w", limit}, {"power.base_w", "40"}, {"power.clock_w", "20"}};
    auto result = predictor.predict(request, "", options, {});
    EXPECT_TRUE(result) << (result ? "" : result.error().line());
    return result ? std::move(*result) : Result{};
  }
};

TEST_F(LoadClockOf, ABoardBelowItsLimitRunsAtItsHighestClock) {
  const Result result = predict("1000");
  EXPECT_EQ(result.gpu.clock_mhz, (*predictor.gpu("gtx970", {}))->clock_sustained_mhz);
  EXPECT_LT(result.power.watts, 1000);
  EXPECT_EQ(result.power.limit_w, 1000);
}

TEST_F(LoadClockOf, AtTheLimitTheClockFallsUntilPowerMeetsIt) {
  const Result free = predict("1000");
  const std::string limit = std::to_string(0.8 * free.power.watts);
  const Result held = predict(limit.c_str());
  EXPECT_LT(held.gpu.clock_mhz, free.gpu.clock_mhz);
  EXPECT_GT(held.time_ms, free.time_ms);
  EXPECT_NEAR(held.power.watts / held.power.limit_w, 1, 0.011);
  EXPECT_NEAR(held.power.joules, held.power.watts * held.time_ms * 1e-3, 1e-9);
}

}  // namespace
}  // namespace forewarp::tests
