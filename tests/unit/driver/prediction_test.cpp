// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The whole chain on committed listings: counts, formulas, refusals, sweeps.
#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "driver/point_predictor.h"
#include "driver/predictor.h"
#include "driver/result_builder.h"
#include "request/argument_text.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

std::string listing(const std::string& name) {
  return std::string(FOREWARP_FIXTURES) + "/listings/" + name;
}

Case saxpy2(std::int64_t a, const std::string& input = {}) {
  Case request;
  request.input =
      input.empty() ? std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass" : input;
  request.gpu = "gtx970";
  request.launch.grid = {1562500, 1, 1};
  request.launch.block = {256, 1, 1};
  for (const auto& [name, value] :
       {std::pair<const char*, std::int64_t>{"n", 400000000}, {"a", a}}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.integer = value;
    request.launch.arguments.push_back(argument);
  }
  return request;
}

class WholeChain : public testing::Test {
 protected:
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};

  Result must(const Case& request, const std::string& gpu, const PredictOptions& options = {}) {
    auto result = predictor.predict(request, gpu, options, {});
    EXPECT_TRUE(result) << (result ? "" : result.error().line());
    return result ? *result : Result{};
  }
  std::string refusal(const Case& request, const std::string& gpu,
                      const PredictOptions& options = {}) {
    const auto result = predictor.predict(request, gpu, options, {});
    return result ? "predicted" : result.error().line();
  }
};

PredictOptions with_model(const std::string& model,
                          std::vector<std::pair<std::string, std::string>> options = {}) {
  PredictOptions choices;
  choices.models = {model};
  choices.model_options = std::move(options);
  return choices;
}

double number(const Result& result, const std::string& name) {
  for (const auto& [key, value] : result.models.front().numbers) {
    if (key == name) return value;
  }
  return -1;
}

/// Claims to account for everything and gives a time that is none.
class BoastingModel : public Model {
 public:
  BoastingModel(double time_ms, bool applies) : time_ms_(time_ms), applies_(applies) {}
  [[nodiscard]] std::string_view name() const override { return "boasting"; }
  [[nodiscard]] std::string_view sentence() const override { return "for tests"; }
  [[nodiscard]] std::string_view reference() const override { return "none"; }
  [[nodiscard]] std::span<const ModelOption> options() const override { return {}; }
  [[nodiscard]] std::vector<ResourceInfo> bounds(std::span<const ResourceInfo>) const override {
    return {};
  }
  [[nodiscard]] Prediction predict(const ModelInput&, const OptionValues&) const override {
    Prediction p;
    p.time_ms = time_ms_;
    p.applies = applies_;
    return p;
  }

 private:
  double time_ms_;
  bool applies_;
};

// Prior models give negative and endless times (Volkov 2016, 7.4): in their own line, never as the
// time of `auto`.
TEST_F(WholeChain, AutoTakesNoTimeThatIsNone) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  PredictOptions formulas;
  formulas.fast = true;
  const double expected = must(saxpy2(128), "gtx970", formulas).time_ms;
  for (const auto& [time, applies] :
       {std::pair{-3.5, true}, {0.0, true}, {endless, true}, {1.0, false}}) {
    const BoastingModel boasting(time, applies);
    const auto made = predictor.evaluate(saxpy2(128), "gtx970", formulas);
    ASSERT_TRUE(made);
    Evaluation evaluation = **made;
    ModelRun run = evaluation.runs.front();
    run.model = &boasting;
    evaluation.runs.insert(evaluation.runs.begin(), run);
    ASSERT_TRUE(run_models(evaluation));
    const Result result = build_result(evaluation, {true, false, false});
    EXPECT_EQ(result.model, "volkov");
    EXPECT_EQ(result.time_ms, expected);
    EXPECT_EQ(result.models.front().name, "boasting") << "it is shown beside the others";
    EXPECT_NE(result.chosen_because.find("boasting accounts for more, but gives no time"),
              std::string::npos)
        << result.chosen_because;
    evaluation.runs.resize(1);
    EXPECT_EQ(run_models(evaluation).error().line(),
              "saxpy2: no model gives a time for it on NVIDIA GeForce GTX 970; expected a finite "
              "time above 0 of a model that applies; --model NAME shows what one computes, and why "
              "it does not apply");
  }
}

// Two arrays of 2e9 bytes behind 0.25e9 of the context: y passes the fast 3758096384 bytes after
// 0.754 of it. There 8 of 12 bytes an element move at 0.7 * 28 GB/s, before at 0.7438 * 224.36.
TEST_F(WholeChain, BuffersBeyondTheFastSegmentTakeLonger) {
  Case request = saxpy2(1);
  request.launch.grid = {1953125, 1, 1};
  request.launch.arguments.front().value.integer = 500000000;
  for (const char* name : {"x", "y"}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.kind = Argument::Kind::buffer;
    argument.value.buffer_bytes = 2000000000;
    request.launch.arguments.push_back(argument);
  }
  const double fast = (3758096384 - 0.25e9 - 2e9) / 2e9;
  const double slow_ms = (1 - fast) * 4e9 / 19.6e6, fast_ms = fast * 6e9 / (0.7438 * 224.384e6);
  EXPECT_NEAR(must(request, "gtx970").time_ms, slow_ms + fast_ms, 1);
}

// Gajger 2017, eq. 5.1: 942 + 24a; unrolled by hand: 918 + 24a.
TEST_F(WholeChain, ThesisKernelHasTheThesisFormulas) {
  const Result thesis = must(saxpy2(128), "gtx970@gajger", with_model("gajger"));
  EXPECT_EQ(thesis.latency.formula, "942 + 24*a");
  EXPECT_EQ(thesis.kernel.registers, 8U);
  const Result strict =
      must(saxpy2(128), "gtx970@gajger", with_model("gajger", {{"gajger.latency", "strict"}}));
  EXPECT_EQ(strict.latency.formula, "918 + 24*a");
  for (const std::int64_t a : {1, 2, 128, 4096}) {
    const Result r = must(saxpy2(a), "gtx970@gajger", with_model("gajger"));
    EXPECT_EQ(number(r, "ins_cuda"), 23 + 4 * static_cast<double>(a));
    EXPECT_EQ(number(r, "gmem_bytes"), 384);
    EXPECT_EQ(number(r, "latency_bound"), 942 + 24 * static_cast<double>(a));
  }
}

// With a = 0 the loop and the load before it are jumped over: 20 + 2 instructions, 2 accesses.
TEST_F(WholeChain, ZeroPassesTakeTheOtherPath) {
  const Result r =
      must(saxpy2(0), "gtx970@gajger", with_model("gajger", {{"gajger.counts", "strict"}}));
  EXPECT_EQ(number(r, "ins_cuda"), 20);
  EXPECT_EQ(number(r, "ins_issued"), 22 - 1);
  EXPECT_EQ(number(r, "gmem_bytes"), 256);
  EXPECT_EQ(r.latency.cycles, 581);
}

// Listing 3.5 of Volkov 2016 on the GTX 680: 544 cycles.
TEST_F(WholeChain, VectorAddOnKeplerTakes544Cycles) {
  Case request;
  request.input = listing("volkov2016-vadd-sm30.sass");
  request.launch.grid = {1000000, 1, 1};
  request.launch.block = {256, 1, 1};
  const Result r =
      must(request, "gtx680@volkov", with_model("volkov", {{"volkov.turnaround", "off"}}));
  EXPECT_EQ(r.latency.cycles, 544);
}

TEST_F(WholeChain, EveryFamilyPredictsWithoutAHint) {
  const std::pair<const char*, const char*> families[] = {
      {"35", "k40"},          {"52", "gtx970"},     {"60", "p100-pcie-16"}, {"61", "gtx1080ti"},
      {"70", "v100-pcie-16"}, {"75", "rtx2080ti"},  {"80", "a100-sxm-40"},  {"86", "rtx3090"},
      {"89", "rtx4090"},      {"90", "h100-sxm-80"}};
  for (const auto& [sm, gpu] : families) {
    SCOPED_TRACE(sm);
    const std::string input = listing(std::string("saxpy2.sm_") + sm + ".sass");
    const Result one = must(saxpy2(1000, input), gpu);
    const Result two = must(saxpy2(2000, input), gpu);
    EXPECT_NE(one.latency.formula.find("*a"), std::string::npos) << one.latency.formula;
    EXPECT_NEAR(two.time_ms / one.time_ms, 2, 0.1);
  }
}

TEST_F(WholeChain, CodeOfAnotherArchitectureIsRefusedWithTheWayOut) {
  EXPECT_EQ(
      refusal(saxpy2(1), "a100-sxm-40"),
      std::string(FOREWARP_SOURCE_DIR) +
          "/examples/saxpy2.sass: the code is for sm_52, NVIDIA A100-SXM4-40GB is sm_80; expected "
          "code for sm_80 to sm_80; compile it for sm_80, or use --assume-isa for a what-if");
  PredictOptions what_if;
  what_if.assume_isa = true;
  const Result r = must(saxpy2(1), "a100-sxm-40", what_if);
  EXPECT_EQ(r.assumptions.front().id, "assume-isa");
}

// A lone warp waits for the last pass of a 32-way conflict: 31 passes after the first, 1 cycle
// each.
TEST_F(WholeChain, ABankConflictDelaysALoneWarp) {
  const auto cycles = [&](int shift) {
    const std::string path = testing::TempDir() + "conflict" + std::to_string(shift) + ".sass";
    std::ofstream(path) << "code for sm_52\n\t\tFunction : conflict\n"
                        << "        /*0008*/                   S2R R0, SR_TID.X;\n"
                        << "        /*0010*/                   SHL R1, R0, 0x" << shift << ";\n"
                        << "        /*0018*/                   LDS R2, [R1];\n"
                        << "        /*0028*/                   FADD R3, R2, R2;\n"
                        << "        /*0030*/                   EXIT;\n";
    Case request;
    request.input = path;
    request.launch.grid = {1, 1, 1};
    request.launch.block = {32, 1, 1};
    return must(request, "gtx970").latency.cycles;
  };
  EXPECT_EQ(cycles(7) - cycles(2), 31);
}

// A quarter of the warps jumps over the loop: 0.25 of one count and 0.75 of the other.
TEST_F(WholeChain, AStatedShareOfTheWarpsTakesTheBranch) {
  const auto instructions = [&](double share) {
    PredictOptions options;
    options.branch_probabilities[0xa8] = share;
    return must(saxpy2(3), "gtx970", options).profile.warp_instructions;
  };
  EXPECT_GT(instructions(0), instructions(1));
  EXPECT_DOUBLE_EQ(instructions(0.25), 0.25 * instructions(1) + 0.75 * instructions(0));
}

// 4096 blocks of 8 warps, 15 instructions each with a range check.
TEST_F(WholeChain, CountsAreThoseOfTheExecutedKernel) {
  Case request;
  request.input = listing("saxpy.sm_70.sass");
  request.launch.grid = {4096, 1, 1};
  request.launch.block = {256, 1, 1};
  NamedArgument n;
  n.name = "n";
  n.value.integer = 1 << 20;
  request.launch.arguments = {n};
  const Result result = must(request, "v100-pcie-16");
  EXPECT_EQ(result.profile.source, "executed");
  EXPECT_EQ(result.profile.warp_instructions, 15 * 8 * 4096);
  EXPECT_EQ(result.profile.of_blocks, 4096);
  EXPECT_GT(result.profile.executed_blocks, 0);
  EXPECT_EQ(result.profile.branch_efficiency, 1);
}

/// Steps of a number under the rule of Collatz, for 1000 threads from a buffer.
Case collatz(const std::string& content) {
  Case request;
  request.input = listing("data_loop.sm_80.sass");
  request.launch.grid = {4, 1, 1};
  request.launch.block = {256, 1, 1};
  NamedArgument start, n;
  start.name = "start";
  start.value.kind = Argument::Kind::buffer;
  start.value.buffer_bytes = 4000;
  if (content == "ones") start.value.content.kind = BufferContent::Kind::ones;
  n.name = "n";
  n.value.integer = 1000;
  request.launch.arguments = {start, n};
  return request;
}

TEST_F(WholeChain, LoopsOverDataRunOverTheData) {
  const Result result = must(collatz("ones"), "a100-sxm-40");  // 1 ends at once
  EXPECT_EQ(result.profile.source, "executed");
  EXPECT_TRUE(result.execution.loops.empty());
  const std::string stopped = refusal(collatz("unknown"), "a100-sxm-40");
  EXPECT_NE(stopped.find("LDG.E R2"), std::string::npos) << stopped;
  EXPECT_NE(stopped.find("--arg start=buffer:4000:random:1:LOW:HIGH"), std::string::npos)
      << stopped;
  EXPECT_NE(stopped.find("--trip"), std::string::npos) << stopped;
}

/// Blocks of 1 to 32 passes, 16 times.
Case causal_scores() {
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/validation/order/uneven_grids.sass";
  request.kernel = "causal_scores";
  request.gpu = "h200-sxm";
  request.launch.grid = {32, 16, 1};
  request.launch.block = {256, 1, 1};
  for (const char* text : {"0=buffer:2M", "1=buffer:2M", "2=buffer:512K", "3=32"})
    request.launch.arguments.push_back(*parse_argument(text));
  return request;
}

// The fullest SM of an H200 counted 63,438 wavefronts of shared memory, the mean one 35,006: it
// takes at least a cycle for each.
TEST_F(WholeChain, TheSmWithTheLongestBlocksEndsLast) {
  const Result result = must(causal_scores(), "h200-sxm");
  EXPECT_GT(result.time_ms, 63'438 / 1.98e6);
  EXPECT_LT(result.time_ms, 0.055);  // measured
}

// Half of the blocks leave at once. Of 500,000 blocks on 84 SMs all are followed, of 64 times as
// many a part: all of those, more than once, would take minutes.
TEST_F(WholeChain, OfAHugeGridOfBlocksThatDifferAPartIsFollowed) {
  const auto time_of = [&](std::uint32_t grid) {
    Case request;
    request.input = std::string(FOREWARP_SOURCE_DIR) + "/validation/order/uneven_grids.sass";
    request.kernel = "surplus";
    request.gpu = "a40";
    request.launch.grid = {grid, 1, 1};
    request.launch.block = {128, 1, 1};
    for (const std::string& text : {std::string("0=buffer:64G"), std::string("1=buffer:64G"),
                                    "2=" + std::to_string(grid / 2), std::string("3=200")})
      request.launch.arguments.push_back(*parse_argument(text));
    return must(request, "a40").time_ms;
  };
  EXPECT_NEAR(time_of(1U << 25U) / time_of(1U << 19U), 64, 0.03 * 64);
}

TEST_F(WholeChain, AStatedBranchOverrulesTheRun) {
  PredictOptions options;
  EXPECT_EQ(must(saxpy2(3), "gtx970", options).profile.source, "executed");
  options.branch_probabilities[0xa8] = 0.5;
  const Result stated = must(saxpy2(3), "gtx970", options);
  EXPECT_EQ(stated.profile.source, "static");
  ASSERT_FALSE(stated.assumptions.empty());
  EXPECT_TRUE(std::any_of(stated.assumptions.begin(), stated.assumptions.end(),
                          [](const auto& a) { return a.id == "not-executed"; }));
}

// With `a` the loop's passes are known, so the analysis answers where the execution lacks `n`.
TEST_F(WholeChain, ArgumentsThatAnExecutionLacksAreAskedForByName) {
  const auto asked = [](const Result& result) {
    const bool any = !result.findings.empty();
    return any && result.findings[0].kind == "missing-arguments" ? result.findings[0].text : "";
  };
  Case request = saxpy2(3);
  EXPECT_EQ(asked(must(request, "gtx970")), "");  // x and y are not given, yet it was executed
  std::erase_if(request.launch.arguments, [](const auto& given) { return given.name == "n"; });
  const Result lacking = must(request, "gtx970");
  EXPECT_EQ(lacking.profile.source, "static");
  EXPECT_TRUE(asked(lacking).ends_with(
      "y (float*): add --arg n=NUMBER --arg x=buffer:BYTES --arg y=buffer:BYTES"));
  PredictOptions foreseen;
  foreseen.execute = false;
  EXPECT_EQ(asked(must(request, "gtx970", foreseen)), "");  // nobody wanted an execution
}

// One executed block says nothing of how the others of its kind differ.
TEST_F(WholeChain, ALoneBlockIsNamed) {
  const auto told = [&](std::uint64_t blocks) {
    PredictOptions options;
    options.sample = {SampleChoice::Mode::count, blocks};
    for (const auto& assumption : must(saxpy2(3), "gtx970", options).assumptions) {
      if (assumption.id == "sampled-blocks")
        return assumption.text.find("are represented by one") != std::string::npos;
    }
    ADD_FAILURE() << "no block was drawn";
    return false;
  };
  EXPECT_TRUE(told(1));
  EXPECT_FALSE(told(64));
}

TEST_F(WholeChain, AConstantIsCheckedAndUsed) {
  Case request;
  request.input = listing("module_variables.sm_80.sass");
  request.launch.grid = {1, 1, 1};
  request.launch.block = {32, 1, 1};
  NamedArgument n, weights;
  n.name = "n";
  n.value.integer = 32;
  request.launch.arguments = {n};
  const Result zeroed = must(request, "a100-sxm-40");
  EXPECT_TRUE(std::any_of(zeroed.assumptions.begin(), zeroed.assumptions.end(),
                          [](const auto& a) { return a.id == "zero-constants"; }));
  weights.name = "weigths";
  weights.value.kind = Argument::Kind::buffer;
  weights.value.buffer_bytes = 32;
  weights.value.content.kind = BufferContent::Kind::ones;
  request.launch.constants = {weights};
  EXPECT_NE(refusal(request, "a100-sxm-40").find("weigths"), std::string::npos);
  request.launch.constants[0].name = "weights";
  const Result given = must(request, "a100-sxm-40");
  for (const auto& assumption : given.assumptions) {
    if (assumption.id == "zero-constants") {
      EXPECT_EQ(assumption.text.find("weights"), std::string::npos);
    }
  }
}

// A block alone would wait for the others for ever.
TEST_F(WholeChain, BlocksThatWaitForEachOtherRunTogether) {
  Case request;
  request.input = listing("grid_barrier.sm_80.sass");
  request.launch.grid = {4, 1, 1};
  request.launch.block = {64, 1, 1};
  NamedArgument n;
  n.name = "n";
  n.value.integer = 1000;
  request.launch.arguments = {n};
  const Result result = must(request, "a100-sxm-40");
  EXPECT_EQ(result.profile.source, "executed");
  EXPECT_EQ(result.profile.executed_blocks, 4);
}

TEST_F(WholeChain, AProfileHasNoTime) {
  const auto result = predictor.profile(saxpy2(3), "gtx970", {});
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_TRUE(result->profile_only);
  EXPECT_EQ(result->profile.warp_instructions, must(saxpy2(3), "gtx970").profile.warp_instructions);
  ASSERT_EQ(result->execution.loops.size(), 1U);
  EXPECT_EQ(result->execution.loops[0].mean_passes, 3);
  EXPECT_EQ(result->execution.loops[0].formula, "a");
}

TEST_F(WholeChain, AnOptionThatMeetsNothingIsRefused) {
  PredictOptions trip;
  trip.trips[0x44] = 3;
  EXPECT_EQ(refusal(saxpy2(1), "gtx970", trip),
            "--trip 0x0044: no loop begins there in saxpy2; expected 0x00d0; `forewarp analyze` "
            "lists them");
  PredictOptions branch;
  branch.branch_probabilities[0x7] = 1;
  EXPECT_EQ(refusal(saxpy2(1), "gtx970", branch),
            "--assume-branch 0x0007: no conditional branch there in saxpy2; expected 0x0050, "
            "0x00a8, 0x00f0; `forewarp analyze` lists them");
}

TEST_F(WholeChain, TheResultEchoesTheOptionsInEffect) {
  PredictOptions options;
  options.trips[0xd0] = 7;
  options.registers = 40;
  const Result r = must(saxpy2(3), "gtx970", options);
  const std::vector<std::pair<std::string, std::string>> expected = {{"clock", "sustained"},
                                                                     {"timing", "device"},
                                                                     {"cold", "true"},
                                                                     {"trip.0x00d0", "7"},
                                                                     {"regs", "40"}};
  EXPECT_EQ(r.options, expected);
  EXPECT_FALSE(r.tool_version.empty());
}

TEST_F(WholeChain, ALoopWithoutItsArgumentNamesItsRange) {
  Case request = saxpy2(1);
  request.launch.arguments.pop_back();
  const std::string line = refusal(request, "gtx970");
  EXPECT_NE(line.find("loop 0x00d0-0x00f8"), std::string::npos) << line;
  EXPECT_NE(line.find("--trip 0x00d0=N"), std::string::npos) << line;
}

TEST_F(WholeChain, ALaunchThatTheGpuRefusesIsNoTime) {
  Case request = saxpy2(1);
  request.launch.block = {2048, 1, 1};
  EXPECT_NE(refusal(request, "gtx970").find("1024"), std::string::npos)
      << refusal(request, "gtx970");
}

TEST_F(WholeChain, BuffersBeyondTheBoardAreAFinding) {
  Case request = saxpy2(1);
  for (const char* name : {"x", "y"}) {
    NamedArgument buffer;
    buffer.name = name;
    buffer.value.kind = Argument::Kind::buffer;
    buffer.value.buffer_bytes = 3'000'000'000;
    request.launch.arguments.push_back(buffer);
  }
  const Result r = must(request, "gtx970");
  ASSERT_EQ(r.findings.size(), 2U);
  EXPECT_EQ(r.findings[0].kind, "slow-segment");
  EXPECT_EQ(r.findings[1].kind, "exceeds-memory");
  EXPECT_GT(r.time_ms, 0);
}

TEST_F(WholeChain, TwiceTheGridTakesTwiceTheTime) {
  Case request = saxpy2(16);
  const double one = must(request, "gtx970").time_ms;
  request.launch.grid[0] *= 2;
  NamedArgument more = request.launch.arguments[0];
  more.value.integer *= 2;
  request.launch.arguments.push_back(more);
  EXPECT_NEAR(must(request, "gtx970").time_ms / one, 2, 0.01);
}

TEST_F(WholeChain, WhatWouldBreakTheCountingIsRefused) {
  PredictOptions options;
  options.threads = 1000;
  EXPECT_EQ(refusal(saxpy2(1), "gtx970", options),
            "--threads: cannot be combined with a grid; expected one of the two; leave out --grid, "
            "or --threads");
  PredictOptions banks;
  banks.overrides = {{"register.banks", "4000"}};
  EXPECT_NE(refusal(saxpy2(1), "gtx970", banks).find("resources per SM"), std::string::npos);
  PredictOptions sector;
  sector.overrides = {{"cache.sector_bytes", "0.5"}};
  EXPECT_NE(refusal(saxpy2(1), "gtx970", sector).find("a power of two from 4 to 64"),
            std::string::npos);
}

TEST_F(WholeChain, AnExecutedPointIsTheWholePrediction) {
  const Case request = saxpy2(7);
  const auto point = predict_executed_point(predictor, request, {});
  ASSERT_TRUE(point) << point.error().line();
  const Result alone = must(request, "");
  EXPECT_EQ(alone.profile.source, "executed");
  EXPECT_EQ(point->time_ms, alone.time_ms);
  EXPECT_EQ(point->limited_by, alone.limited_by.resource);
}

// A point of a sweep is the same number as the prediction alone, whatever came before it.
TEST_F(WholeChain, PointsOfASweepEqualSinglePredictions) {
  PointPredictor points(predictor);
  PredictOptions analysed;
  analysed.execute = false;
  for (const std::int64_t a : {0, 1, 2, 3, 128, 7}) {
    for (const std::uint32_t block : {32U, 100U, 256U, 1024U}) {
      for (const std::uint32_t grid : {1U, 13U, 104U, 105U, 100000U}) {
        Case request = saxpy2(a);
        request.launch.block = {block, 1, 1};
        request.launch.grid = {grid, 1, 1};
        const auto point = points.predict(request, analysed, false);
        ASSERT_TRUE(point) << point.error().line();
        const Result alone = must(request, "", analysed);
        EXPECT_NEAR(point->time_ms, alone.time_ms, 1e-12 * alone.time_ms) << a << ' ' << block;
        EXPECT_EQ(point->limited_by, alone.limited_by.resource);
        EXPECT_NEAR(point->latency_cycles, alone.latency.cycles, 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace forewarp::tests
