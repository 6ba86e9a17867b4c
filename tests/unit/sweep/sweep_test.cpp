// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::string message(const std::vector<std::string>& texts) {
  const auto sweep = Sweep::parse(texts);
  return sweep ? "no error" : sweep.error().line();
}

/// Every point as "a/b/c".
std::vector<std::string> points(const std::vector<std::string>& texts) {
  const auto sweep = Sweep::parse(texts);
  std::vector<std::string> result;
  if (!sweep) return {sweep.error().line()};
  for (std::uint64_t point = 0; point < sweep->count(); ++point) {
    std::string text;
    for (std::size_t i = 0; i < sweep->axes().size(); ++i) {
      if (i != 0) text += '/';
      text += sweep->axes()[i].text(sweep->index_at(point, i));
    }
    result.push_back(text);
  }
  return result;
}

TEST(Sweep, CrossesAxesInTheOrderGiven) {
  EXPECT_EQ(points({"block=32:64:32", "n=1,2,3"}),
            (std::vector<std::string>{"32/1", "32/2", "32/3", "64/1", "64/2", "64/3"}));
  EXPECT_EQ(points({"n=5"}), (std::vector<std::string>{"5"}));
  EXPECT_EQ(Sweep::parse({})->count(), 1U);
}

TEST(Sweep, TextsAreWhatAUserWrites) {
  EXPECT_EQ(points({"block=32,32x4,8x8x2"}), (std::vector<std::string>{"32", "32x4", "8x8x2"}));
  EXPECT_EQ(points({"clock=base,1000,1.5e3"}), (std::vector<std::string>{"base", "1000", "1500"}));
  EXPECT_EQ(points({"x=buffer:64:zeros,buffer:128"}),
            (std::vector<std::string>{"buffer:64:zeros", "buffer:128"}));
  EXPECT_EQ(points({"a=0.5:1.5:0.5"}), (std::vector<std::string>{"0.5", "1.0", "1.5"}));
  EXPECT_EQ(points({"smem=0:200000:100000"}), (std::vector<std::string>{"0", "100000", "200000"}));
  EXPECT_EQ(points({"hw.memory.kind=gddr5,7"}), (std::vector<std::string>{"gddr5", "7"}));
  EXPECT_EQ(points({"hw.sms=1:3:1"}), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(points({"n=i64:7"}), (std::vector<std::string>{"i64:7"}));
}

TEST(Sweep, AppliesEveryKind) {
  const auto sweep = Sweep::parse({"block=64x2", "grid=7", "smem=1024", "regs=40", "clock=1500",
                                   "hw.memory.latency_cycles=300", "n=5", "2=1.5"});
  ASSERT_TRUE(sweep) << sweep.error().line();
  Case request;
  PredictOptions options;
  sweep->apply(0, request, options);
  EXPECT_EQ(request.launch.block, (Extent{64, 2, 1}));
  EXPECT_EQ(request.launch.grid, (Extent{7, 1, 1}));
  EXPECT_EQ(request.launch.dynamic_shared, 1024U);
  EXPECT_TRUE(request.has_dynamic_shared);
  EXPECT_EQ(options.registers, 40U);
  ASSERT_TRUE(options.clock);
  EXPECT_EQ(options.clock->kind, ClockChoice::Kind::stated);
  EXPECT_EQ(options.clock->megahertz, 1500);
  ASSERT_EQ(options.overrides.size(), 1U);
  EXPECT_EQ(options.overrides[0].path, "memory.latency_cycles");
  EXPECT_EQ(options.overrides[0].value, "300");
  ASSERT_EQ(request.launch.arguments.size(), 2U);
  EXPECT_EQ(request.launch.arguments[0].name, "n");
  EXPECT_EQ(request.launch.arguments[0].value.integer, 5);
  EXPECT_EQ(request.launch.arguments[1].index, 2U);
  EXPECT_EQ(request.launch.arguments[1].value.floating, 1.5);
}

TEST(Sweep, OneScratchServesEveryPoint) {
  const auto sweep = Sweep::parse({"n=1:3:1", "hw.sms=4,5"});
  ASSERT_TRUE(sweep);
  Case request;
  request.launch.arguments.push_back({"n", std::nullopt, {}});
  request.launch.arguments.push_back({"", 1U, {}});
  PredictOptions options;
  for (std::uint64_t point = 0; point < sweep->count(); ++point) {
    sweep->apply(point, request, options);
    ASSERT_EQ(request.launch.arguments.size(), 2U);
    EXPECT_EQ(request.launch.arguments[1].name, "n");
    EXPECT_EQ(request.launch.arguments[1].value.integer, static_cast<std::int64_t>(1 + point / 2));
    ASSERT_EQ(options.overrides.size(), 1U);
    EXPECT_EQ(options.overrides[0].value, point % 2 == 0 ? "4" : "5");
  }
}

TEST(Sweep, OptionsOfModels) {
  const auto sweep = Sweep::parse({"option.sim.policy=lrr,gto", "option.sim.rate=2:4:1"});
  ASSERT_TRUE(sweep);
  ASSERT_EQ(sweep->count(), 6U);
  Case request;
  PredictOptions options;
  options.model_options = {{"sim.rate", "9"}};
  sweep->apply(5, request, options);
  using Given = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(options.model_options, (Given{{"sim.rate", "4"}, {"sim.policy", "gto"}}));
  EXPECT_FALSE(sweep->axes()[0].numeric());
  EXPECT_TRUE(sweep->axes()[1].numeric());
}

TEST(Sweep, ASweptArgumentWinsOverItsOtherName) {
  // Arguments are bound in order, so the last one for a parameter counts.
  const auto sweep = Sweep::parse({"n=9"});
  Case request;
  request.launch.arguments.push_back({"n", std::nullopt, {}});
  request.launch.arguments.push_back({"", 0U, {}});
  PredictOptions options;
  sweep->apply(0, request, options);
  EXPECT_EQ(request.launch.arguments.back().name, "n");
  EXPECT_EQ(request.launch.arguments.back().value.integer, 9);
}

TEST(Sweep, SaysWhatItChanges) {
  EXPECT_FALSE(Sweep::parse({"block=32", "n=1", "smem=0"})->changes_binding());
  EXPECT_TRUE(Sweep::parse({"regs=32"})->changes_binding());
  EXPECT_TRUE(Sweep::parse({"clock=base"})->changes_binding());
  EXPECT_TRUE(Sweep::parse({"hw.sms=4"})->changes_binding());
  EXPECT_TRUE(Sweep::parse({"option.sim.rate=2"})->changes_binding());
}

TEST(Sweep, NumericAxesCanBeDrawn) {
  EXPECT_TRUE(Sweep::parse({"block=32:64:32"})->axes()[0].numeric());
  EXPECT_TRUE(Sweep::parse({"block=32,64"})->axes()[0].numeric());
  EXPECT_FALSE(Sweep::parse({"block=32,64x2"})->axes()[0].numeric());
  EXPECT_FALSE(Sweep::parse({"clock=base,1000"})->axes()[0].numeric());
  EXPECT_FALSE(Sweep::parse({"x=buffer:4"})->axes()[0].numeric());
  EXPECT_EQ(Sweep::parse({"hw.x=2.5"})->axes()[0].number(0), 2.5);
}

TEST(Sweep, RefusesTooManyPoints) {
  EXPECT_EQ(message({"n=1:10000:1", "m=1:10000:1"}), "no error");
  EXPECT_EQ(message({"n=1:10000:1", "m=1:10001:1"}),
            "--sweep: 'm=1:10001:1' brings the sweep above 100000000 points; expected fewer "
            "values in all axes together; give a larger step");
  EXPECT_EQ(message({"n=0:1e14:1", "m=0:1e14:1"}),
            "--sweep: 'n=0:1e14:1' brings the sweep above 100000000 points; expected fewer values "
            "in all axes together; give a larger step");
}

TEST(Sweep, Refuses) {
  EXPECT_EQ(message({"block"}),
            "--sweep: 'block' has no '='; expected NAME=FROM:TO:STEP, NAME=FROM:TO:*FACTOR or "
            "NAME=a,b,c");
  EXPECT_EQ(message({"=1,2"}),
            "--sweep: '' names no parameter; expected a parameter's name or "
            "index");
  EXPECT_EQ(message({"n=1", "n=2"}), "--sweep: 'n' is swept twice; expected each name once");
  EXPECT_EQ(message({"block=32,0"}),
            "--sweep: '0' is not a size; expected X, XxY or XxYxZ, each from 1 to 4294967295");
  EXPECT_EQ(message({"block=0:64:32"}),
            "--sweep: 'block=0:64:32' leaves the values that block can have; expected whole "
            "numbers from 1 to 4294967295");
  EXPECT_EQ(message({"smem=0:5000000000:1000000000"}),
            "--sweep: 'smem=0:5000000000:1000000000' leaves the values that smem can have; "
            "expected whole numbers from 0 to 4294967295");
  EXPECT_EQ(message({"grid=1:2:0.5"}),
            "--sweep: 'grid=1:2:0.5' leaves the values that grid can have; expected whole numbers "
            "from 1 to 4294967295");
  EXPECT_EQ(message({"regs=0"}),
            "--sweep: '0' is no value of regs; expected a whole number from 1 to 4294967295");
  EXPECT_EQ(message({"smem=-1"}),
            "--sweep: '-1' is no value of smem; expected a whole number from 0 to 4294967295");
  EXPECT_EQ(message({"clock=0:100:50"}),
            "--sweep: 'clock=0:100:50' leaves the values that clock can have; expected MHz above "
            "0");
  EXPECT_EQ(message({"clock=0.5:1.5:0.5"}),
            "--sweep: 'clock=0.5:1.5:0.5' leaves the values that clock can have; expected 1 to "
            "100000 MHz, base, boost, sustained or load");
  EXPECT_NE(message({"clock=99999:100001:1"}).find("leaves the values that clock can have"),
            std::string::npos);
  EXPECT_EQ(
      message({"clock=fast"}),
      "--sweep: 'fast' is not a clock; expected 1 to 100000 MHz, base, boost, sustained or load");
  EXPECT_EQ(message({"hw.sms=1,,2"}),
            "--sweep: 'hw.sms' has an empty value; expected NAME=FROM:TO:STEP, "
            "NAME=FROM:TO:*FACTOR or NAME=a,b,c");
  EXPECT_EQ(
      message({"n=1,,2"}),
      "--sweep: '' is not a value; expected a number (also 16M, 1<<20), TYPE:NUMBER, hex:BYTES, "
      "buffer:BYTES[:CONTENT], same:INDEX or tensor:TYPE:SIZExSIZE:box=SIZExSIZE:BUFFER");
}

TEST(Sweep, AGridCannotBeSweptWhenItFollowsTheBlock) {
  PredictOptions options;
  const auto sweep = Sweep::parse({"grid=1,2"});
  EXPECT_TRUE(sweep->check(options));
  options.threads = 100;
  EXPECT_EQ(sweep->check(options).error().line(),
            "--sweep: the grid is swept although --threads makes it follow the block; expected one "
            "of the two");
  EXPECT_TRUE(Sweep::parse({"block=32,64"})->check(options));
}

}  // namespace
}  // namespace forewarp::tests
