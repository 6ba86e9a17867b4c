// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The chain from a case to its result: what each stage refuses, keeps and is told apart by.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "binding/bound_kernel.h"
#include "driver/result_builder.h"
#include "model/simulated_time.h"
#include "prediction/launch.h"
#include "saxpy2_case.h"

namespace forewarp::tests {
namespace {

class Stages : public EvaluatedLaunches {};

/// Names of what is assumed, where L2 may have a far part.
std::set<std::string> assumed(const Evaluation& evaluation) {
  std::set<std::string> ids;
  for (const Result::Assumption& assumption : evaluation.notes.assumptions)
    ids.insert(assumption.id);
  return ids;
}

TEST_F(Stages, InstructionsCyclesAddUpToTheDemand) {
  for (const bool executed : {true, false}) {
    PredictOptions options;
    options.execute = executed;
    const Evaluation evaluation = must(saxpy2_case(16), options);
    const Demand demand = evaluation.bound->kernel->demand();
    for (std::size_t r = 0; r < evaluation.bound->kernel->resources().size(); ++r) {
      double sum = 0;
      for (const double cycles : evaluation.bound->kernel->instruction_cycles(r)) sum += cycles;
      EXPECT_NEAR(sum, demand.cycles(r), 1e-9 * demand.cycles(r) + 1e-12)
          << evaluation.bound->kernel->resources()[r].name;
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
  const Evaluation far = must(request, options);
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
  auto refused = predictor.evaluate(lacking, "", options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().place, "--trip 0x9999");  // drafting comes first ..
  options.trips.clear();
  refused = predictor.evaluate(lacking, "", options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().found.find("volkv"), std::string::npos) << refused.error().line();
  options.models = {"volkov"};
  options.model_options = {{"volkov.smooth", "much"}};
  refused = predictor.evaluate(lacking, "", options);
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
  const Evaluation evaluation = must(request);
  EXPECT_EQ(evaluation.launch->config.block, (Extent{64, 2, 1}));
  const auto& assumed = evaluation.notes.assumptions;
  const auto said = std::find_if(assumed.begin(), assumed.end(),
                                 [](const auto& one) { return one.id == "block"; });
  ASSERT_NE(said, assumed.end());
  EXPECT_EQ(said->text,
            "no block was given: it is the one that the kernel requires, 64x2x1 threads");
  // The threads that are asked for divide into such blocks along x.
  PredictOptions options;
  options.threads = 640;
  request.launch.grid = {};
  EXPECT_EQ(must(request, options).launch->config.grid, (Extent{10, 1, 1}));
  const auto result = predictor.predict(request, "", options, {.curve = true});
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_EQ(result->launch.block, (Extent{64, 2, 1}));
  EXPECT_TRUE(result->occupancy.curve.empty());  // no other block can be launched

  request.launch.block = {128, 1, 1};
  const auto other = predictor.evaluate(request, "", options);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().line().find("not the kernel's required block"), std::string::npos);
}

TEST_F(Stages, EachKeepsTheNotesOfThoseBefore) {
  const Evaluation evaluation = must(saxpy2_case(1));
  const auto begins_with = [](const auto& later, const auto& earlier) {
    if (later.size() < earlier.size()) return false;
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      if (later[i].id != earlier[i].id) return false;
    }
    return true;
  };
  const auto& launch = evaluation.launch->notes.assumptions;
  ASSERT_FALSE(launch.empty());
  EXPECT_EQ(launch.front().id, "clock");
  std::vector<Result::Assumption> all = launch;
  const auto& trace = evaluation.trace->notes.assumptions;
  all.insert(all.end(), trace.begin(), trace.end());
  EXPECT_TRUE(begins_with(evaluation.notes.assumptions, all));
}

/// Which keys of two evaluations are the same: launch, trace, bound.
std::string same_keys(const Evaluation& a, const Evaluation& b) {
  std::string same;
  if (a.launch->key == b.launch->key) same += "launch ";
  if (a.trace->key == b.trace->key) same += "trace ";
  if (a.bound->key == b.bound->key) same += "bound";
  return same;
}

TEST_F(Stages, KeysFollowFromContentAlone) {
  const Evaluation one = must(saxpy2_case(1));
  ASSERT_FALSE(one.launch->key.empty() || one.trace->key.empty() || one.bound->key.empty());
  const auto other = [&](const PredictOptions& options) {
    return same_keys(one, must(saxpy2_case(1), options));
  };
  EXPECT_EQ(other({}), "launch trace bound");
  PredictOptions options;
  options.jobs = 4;  // changes no result
  EXPECT_EQ(other(options), "launch trace bound");
  options = {};
  options.models = {"volkov"};
  EXPECT_EQ(other(options), "trace bound");
  options = {};
  options.timing = Timing::event;
  EXPECT_EQ(other(options), "trace bound");
  options = {};
  options.clock = ClockChoice{ClockChoice::Kind::stated, 500};
  EXPECT_EQ(other(options), "trace ");
  for (const auto& change : std::vector<FactOverride>{
           {"l2.bytes", "2097152"}, {"clock.boost_mhz", "1300"}, {"launch.event_us", "9"}}) {
    options = {};
    options.overrides = {change};
    EXPECT_EQ(other(options), "") << change.path;
  }
  options = {};
  options.repeat = Repeat::warm;
  EXPECT_EQ(other(options), "");
  options = {};
  options.budget_seconds = 0.4;
  EXPECT_EQ(other(options), "");
  options = {};
  options.execute = false;
  EXPECT_EQ(other(options), "");
  options = {};
  options.cache = false;  // then accesses are kept with it
  EXPECT_EQ(other(options), "");
  EXPECT_EQ(same_keys(one, must(saxpy2_case(2))), "");
  EXPECT_EQ(same_keys(one, must(saxpy2_case(1, 128))), "");
  EXPECT_EQ(same_keys(one, must(saxpy2_case(1, 256, "titanx"))), "");
}

TEST_F(Stages, WhatAKeyHasIsNotMadeAgain) {
  const auto evaluated = [&](const PredictOptions& options) {
    return *predictor.evaluate(saxpy2_case(1), "", options);
  };
  const auto first = evaluated({});
  EXPECT_EQ(evaluated({}), first);
  PredictOptions options;
  options.models = {"volkov"};
  EXPECT_EQ(evaluated(options)->bound, first->bound);
  options.clock = ClockChoice{ClockChoice::Kind::stated, 500};
  EXPECT_EQ(evaluated(options)->trace, first->trace);
  EXPECT_NE(evaluated(options)->bound, first->bound);
  PredictOptions other_board;  // the execution alone is the same
  other_board.overrides = {{"l2.bytes", "2097152"}};
  other_board.cache = options.cache = false;
  options.clock.reset();
  EXPECT_EQ(evaluated(other_board)->trace->profile, evaluated(options)->trace->profile);
}

// Eight threads ask one kernel for all its latencies at once: the same objects as one thread gets.
TEST_F(Stages, ThreadsShareABoundKernel) {
  const Evaluation evaluation = must(saxpy2_case(16));
  const BoundKernel& kernel = *evaluation.bound->kernel;
  const auto& rules = evaluation.launch->gpu->rules;
  std::vector<std::vector<const BoundLatency*>> seen(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < seen.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < rules.size(); ++i) {
        const LatencyRules& mine = rules[(i + t) % rules.size()];
        const BoundLatency& latency = kernel.latency(mine, LoopCounting::strict);
        EXPECT_GT(latency.cycles, 0);
        EXPECT_GT(kernel.demand().count(Count::instructions), 0);
      }
      for (const LatencyRules& mine : rules) {
        seen[t].push_back(&kernel.latency(mine, LoopCounting::strict));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& latencies : seen) EXPECT_EQ(latencies, seen.front());
}

TEST_F(Stages, ThreadsPredictAlike) {
  std::vector<double> times(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < times.size(); ++t) {
    threads.emplace_back([&, t] {
      for (const std::int64_t a : {1, 2, 1}) {
        PredictOptions options;
        options.models = {"all"};
        const auto result = predictor.predict(saxpy2_case(a), "", options, {});
        if (result) times[t] += result->time_ms;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(times.front(), 0);
  for (const double time : times) EXPECT_EQ(time, times.front());
}

class Simulated : public Stages {
 protected:
  void SetUp() override {
    PredictOptions options;
    options.models = {"sim"};
    evaluation = must(saxpy2_case(1), options);
    ASSERT_EQ(evaluation.runs.size(), 1U);
    demand = evaluation.bound->kernel->demand();
  }
  std::shared_ptr<const SimulatedTime> time(const Gpu& gpu, Microseconds added = {}) {
    ModelInput input = model_input(evaluation, evaluation.runs.front(), demand)
                           .with(gpu, evaluation.bound->kernel->resources(), demand);
    input.launch.added = added;
    return evaluation.runs.front().simulator->time(input, {});
  }
  Evaluation evaluation;
  Demand demand;
};

TEST_F(Simulated, OnceForEqualLaunches) {
  const auto first = time(*evaluation.launch->gpu);
  EXPECT_EQ(time(*evaluation.launch->gpu), first);
  EXPECT_EQ(time(*evaluation.launch->gpu, Microseconds(12)),
            first);  // the kernel itself takes as long
}

TEST_F(Simulated, AnewForEveryNumberOfTheBoard) {
  const double cycles = time(*evaluation.launch->gpu)->cycles;
  Gpu slower = *evaluation.launch->gpu;
  slower.memory.read_share /= 2;
  slower.memory.mixed_share /= 2;
  slower.memory.write_share /= 2;
  EXPECT_GT(time(slower)->cycles, 1.5 * cycles);  // moves little but bytes
  EXPECT_EQ(time(*evaluation.launch->gpu)->cycles, cycles);
}

}  // namespace
}  // namespace forewarp::tests
