// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The chain from a case to its result: what each stage refuses, keeps and is told apart by.
#include "launch/stages.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/file.h"
#include "driver/result_builder.h"
#include "saxpy2_case.h"

namespace forewarp::tests {
namespace {

class Stages : public PreparedLaunches {};

/// Names of what is assumed, where L2 may have a far part.
std::set<std::string> assumed(const Prepared& prepared) {
  std::set<std::string> ids;
  for (const Result::Assumption& assumption : prepared.notes.assumptions) ids.insert(assumption.id);
  return ids;
}

TEST_F(Stages, InstructionsCyclesAddUpToTheDemand) {
  for (const bool executed : {true, false}) {
    PredictOptions options;
    options.execute = executed;
    const Prepared prepared = must(saxpy2_case(16), options);
    const Demand demand = prepared.bound().demand();
    for (std::size_t r = 0; r < prepared.bound().resources().size(); ++r) {
      double sum = 0;
      for (const double cycles : prepared.bound().instruction_cycles(r)) sum += cycles;
      EXPECT_NEAR(sum, demand.cycles(r), 1e-9 * demand.cycles(r) + 1e-12)
          << prepared.bound().resources()[r].name;
    }
  }
}

// 32 MB of x and y: all of a far part that begins where data exceed a tenth of L2.
TEST_F(Stages, HitsInTheFarPartOfL2AreAssumedOnlyWhereTheyCount) {
  Case request = saxpy2_case(1);
  request.repeat = Repeat::warm;
  PredictOptions options;
  options.overrides = {{"l2.bytes", "64000000"}, {"l2.far_from", "0.1"}, {"l2.far_to", "0.2"}};
  options.overrides.push_back({"l2.latency_far_cycles", "1"});
  EXPECT_FALSE(assumed(must(request, options)).contains("l2-far"));  // not farther
  options.overrides.back().value = "900";
  const Prepared far = must(request, options);
  EXPECT_TRUE(assumed(far).contains("l2-far"));
  for (const Result::Assumption& assumption : far.notes.assumptions) {
    if (assumption.id != "l2-far") continue;
    EXPECT_EQ(assumption.text.substr(0, 25), "100 % of L2's hits are ta");
  }
  request.repeat = Repeat::cold;  // nothing hits L2
  EXPECT_FALSE(assumed(must(request, options)).contains("l2-far"));
}

TEST_F(Stages, ModelsAreRefusedBeforeAnythingIsExecuted) {
  PredictOptions options;
  options.models = {"volkv"};
  Case lacking = saxpy2_case(1);
  lacking.launch.arguments.erase(lacking.launch.arguments.begin());  // n: where threads end
  options.trips[0x9999] = 3;                                         // and no loop begins there
  auto refused = predictor.prepare(lacking, "", options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().place, "--trip 0x9999");  // drafting comes first ..
  options.trips.clear();
  refused = predictor.prepare(lacking, "", options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().found.find("volkv"), std::string::npos) << refused.error().line();
  options.models = {"volkov"};
  options.model_options = {{"volkov.smooth", "much"}};
  refused = predictor.prepare(lacking, "", options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().line().find("smooth"), std::string::npos) << refused.error().line();
}

/// The bundled kernel with what the assembler notes of a required block.
Case requiring_case(Predictor& predictor, const std::string& threads) {
  Case request = saxpy2_case(1, 128);
  const auto listing = read_file(request.input);
  EXPECT_TRUE(listing);
  const std::string note =
      ".nv.info.saxpy2\n\t<0x1>\n\tAttribute:\tEIATTR_REQNTID\n"
      "\tFormat:\tEIFMT_SVAL\n\tValue:\t" +
      threads + "\n\n";
  request.input = "requiring " + threads;
  predictor.give_input(request.input, note + *listing);
  return request;
}

TEST_F(Stages, ARequiredBlockNeedNotBeGivenAndIsSaid) {
  Case request = requiring_case(predictor, "0x40 0x2 0x1");
  request.launch.block = {};
  const Prepared prepared = must(request);
  EXPECT_EQ(prepared.draft().launch.block, (Extent{64, 2, 1}));
  const auto& assumed = prepared.notes.assumptions;
  const auto said = std::find_if(assumed.begin(), assumed.end(),
                                 [](const auto& one) { return one.id == "block"; });
  ASSERT_NE(said, assumed.end());
  EXPECT_EQ(said->text,
            "no block was given: it is the one that the kernel requires, 64x2x1 threads");
  // The threads that are asked for divide into such blocks along x.
  PredictOptions options;
  options.threads = 640;
  request.launch.grid = {};
  EXPECT_EQ(must(request, options).draft().launch.grid, (Extent{10, 1, 1}));
  const auto result = predictor.predict(request, "", options, {.curve = true});
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_EQ(result->launch.block, (Extent{64, 2, 1}));
  EXPECT_TRUE(result->occupancy.curve.empty());  // no other block can be launched

  request.launch.block = {128, 1, 1};
  const auto other = predictor.prepare(request, "", options);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().line().find("not the kernel's required block"), std::string::npos);
}

TEST_F(Stages, EachKeepsTheNotesOfThoseBefore) {
  const Prepared prepared = must(saxpy2_case(1));
  const auto begins_with = [](const auto& later, const auto& earlier) {
    if (later.size() < earlier.size()) return false;
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      if (later[i].id != earlier[i].id) return false;
    }
    return true;
  };
  const auto& drafted = prepared.drafted().notes.assumptions;
  const auto& executed = prepared.executed().notes.assumptions;
  ASSERT_FALSE(drafted.empty());
  EXPECT_EQ(drafted.front().id, "clock");
  EXPECT_TRUE(begins_with(executed, drafted));
  EXPECT_TRUE(begins_with(prepared.stage->notes.assumptions, executed));
  EXPECT_TRUE(begins_with(prepared.notes.assumptions, prepared.stage->notes.assumptions));
}

TEST_F(Stages, ExecutionsAreToldApartByWhatTheyFollowFrom) {
  PredictOptions by_volkov, clocked, uncached;
  by_volkov.models = {"volkov"};
  clocked.clock = ClockChoice{ClockChoice::Kind::stated, 500};
  uncached.cache = false;
  // One segment of memory: accesses need not be kept.
  const auto saxpy2_on = [](std::int64_t a) { return saxpy2_case(a, 256, "titanx"); };
  const std::string key = must(saxpy2_on(1)).executed().key;
  ASSERT_FALSE(key.empty());
  EXPECT_EQ(must(saxpy2_on(1), by_volkov).executed().key, key);
  EXPECT_EQ(must(saxpy2_on(1), clocked).executed().key, key);
  EXPECT_NE(must(saxpy2_on(2)).executed().key, key);
  PredictOptions other_board;
  other_board.overrides = {{"l2.bytes", "2097152"}};
  EXPECT_NE(must(saxpy2_on(1), other_board).executed().key, key);
  EXPECT_TRUE(must(saxpy2_on(1), uncached).executed().key.empty());
}

class Simulated : public Stages {
 protected:
  void SetUp() override {
    PredictOptions options;
    options.models = {"sim"};
    prepared = must(saxpy2_case(1), options);
    ASSERT_EQ(prepared.runs.size(), 1U);
    demand = prepared.bound().demand();
  }
  std::shared_ptr<const SimulatedTime> time(const Gpu& gpu, Microseconds added = {}) {
    ModelInput input = model_input(prepared, prepared.runs.front(), demand)
                           .with(gpu, prepared.bound().resources(), demand);
    input.launch.added = added;
    return prepared.runs.front().simulator->time(input, {});
  }
  Prepared prepared;
  Demand demand;
};

TEST_F(Simulated, OnceForEqualLaunches) {
  const auto first = time(prepared.gpu());
  EXPECT_EQ(time(prepared.gpu()), first);
  EXPECT_EQ(time(prepared.gpu(), Microseconds(12)), first);  // the kernel itself takes as long
}

TEST_F(Simulated, AnewForEveryNumberOfTheBoard) {
  const double cycles = time(prepared.gpu())->cycles;
  Gpu slower = prepared.gpu();
  slower.memory.read_share /= 2;
  slower.memory.mixed_share /= 2;
  slower.memory.write_share /= 2;
  EXPECT_GT(time(slower)->cycles, 1.5 * cycles);  // moves little but bytes
  EXPECT_EQ(time(prepared.gpu())->cycles, cycles);
}

}  // namespace
}  // namespace forewarp::tests
