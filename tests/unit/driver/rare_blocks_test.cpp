// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A launch waits for its longest block, however few of them there are.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "driver/predictor.h"
#include "request/argument_text.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr std::uint32_t blocks = 100'000;
constexpr double clock_mhz = 1410, fma_latency = 4;  // of an A100: data/isa

class RareBlocksTime : public testing::Test {
 protected:
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  bool remembers = false, executes_all = false;
  std::uint32_t grid = blocks;

  Result run(const std::string& kernel, const std::vector<std::string>& arguments) {
    Case request;
    request.input = std::string(FOREWARP_SOURCE_DIR) + "/validation/kernels/rare_blocks.sass";
    request.kernel = kernel;
    request.gpu = "a100-sxm-40";
    request.launch.grid = {grid, 1, 1};
    request.launch.block = {256, 1, 1};
    for (const std::string& text : arguments)
      request.launch.arguments.push_back(*parse_argument(text));
    PredictOptions options;
    options.cache = remembers;
    if (executes_all) options.sample.mode = SampleChoice::Mode::all;
    auto result = predictor.predict(request, request.gpu, options, {});
    EXPECT_TRUE(result) << (result ? "" : result.error().line());
    return result ? *result : Result{};
  }
  Result one_block(std::uint64_t passes) {
    return run("one_block", {"0=buffer:102400000", "1=buffer:102400000", "2=777",
                             "3=" + std::to_string(passes)});
  }
  /// Of blocks whose number is 777 in these bits.
  Result two_ends(std::uint64_t passes, std::uint32_t bits = ~0U) {
    return run("two_ends",
               {"0=buffer:102400000", "1=buffer:102400000", "2=777", "3=" + std::to_string(bits),
                "4=" + std::to_string(passes), "5=4294967295"});
  }
  Result flagged(const std::vector<int>& flags, std::uint64_t passes) {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / "rare_blocks_flags.bin";
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(flags.data()),
               static_cast<std::streamsize>(flags.size() * sizeof(int)));
    Result result = run("flagged", {"0=buffer:400000:file:" + file.string(), "1=buffer:102400000",
                                    "2=" + std::to_string(passes)});
    std::filesystem::remove(file);
    return result;
  }
};

/// One dependent FMA a pass, and at most half a cycle for the loop around sixteen of them.
void expect_passes(double time_ms, double passes) {
  const double least = passes * fma_latency / (clock_mhz * 1e3);
  EXPECT_GT(time_ms, least);
  EXPECT_LT(time_ms, least * 4.5 / fma_latency);
}

bool assumes(const Result& result, const std::string& id) {
  for (const auto& assumption : result.assumptions) {
    if (assumption.id == id) return true;
  }
  return false;
}

TEST_F(RareBlocksTime, TheLaunchWaitsForOne) {
  const Result result = one_block(400'000);
  expect_passes(result.time_ms, 400'000);
  EXPECT_EQ(result.limited_by.resource, "latency");
  EXPECT_NE(result.limited_by.sentence.find("1 of 100000 blocks take far longer"),
            std::string::npos)
      << result.limited_by.sentence;
}

// Blocks are dispatched by their index: the last begins when nearly all others have ended, the
// first beside them. 100,000 blocks of 108 SMs with eight at once: (99,999 - 864) / 100,000 of
// their time.
TEST_F(RareBlocksTime, TheLastOfAllBeginsLate) {
  const auto at = [&](const std::string& block, const std::string& passes) {
    return run("one_block",
               {"0=buffer:102400000", "1=buffer:102400000", "2=" + block, "3=" + passes})
        .time_ms;
  };
  const double others = at("99999", "1"), alone = at("0", "400000");
  EXPECT_NEAR(at("99999", "400000"), alone + 0.99135 * others, 0.04 * alone);
  EXPECT_NEAR(at("50000", "400000"), alone + 0.49136 * others, 0.04 * alone);
  EXPECT_NEAR(at("777", "400000"), alone, 0.001 * alone);
}

// Of 21 that are as long the last decides: among the last blocks, it begins when the others end.
TEST_F(RareBlocksTime, TheLastOfSomeDecides) {
  executes_all = true;
  const auto time_of = [&](std::size_t first, std::size_t last, std::uint64_t passes) {
    std::vector<int> flags(blocks, 0);
    for (std::size_t i = 0; i <= 20; ++i) flags[first + (last - first) / 20 * i] = 1;
    return flagged(flags, passes).time_ms;
  };
  const double others = time_of(100, 500, 1), early = time_of(100, 500, 60'000);
  EXPECT_NEAR(time_of(100, 99'900, 60'000), early + 0.99 * others, 0.1 * others);
}

// Within the others' time it changes nothing: 100 passes are 0.3 us of 150.
TEST_F(RareBlocksTime, AShortOneIsHidden) {
  EXPECT_NEAR(one_block(100).time_ms / one_block(1).time_ms, 1, 0.02);
}

TEST_F(RareBlocksTime, OneThatIsTooLongGoesAsForeseen) {
  const Result result = one_block(100'000'000);
  expect_passes(result.time_ms, 100'000'000);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front().kind, "cut");
  EXPECT_NE(result.findings.front().text.find("1 of 100000 blocks are too long"),
            std::string::npos);
}

// .. and if nobody foresees its two ends, as far as it was executed, times the passes that are
// counted without it: a million are 80 M warp instructions.
TEST_F(RareBlocksTime, OneThatNobodyForeseesGoesAsItBegins) {
  const double whole = two_ends(10'000).time_ms;
  const Result result = two_ends(500'000);
  EXPECT_NEAR(result.time_ms / whole, 50, 2);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front().kind, "cut");
  EXPECT_NE(result.findings.front().text.find("of one stand for all of its"), std::string::npos)
      << result.findings.front().text;
  EXPECT_LT(result.interval_ms[1], 5 * result.time_ms);
  // The others' counts have none of it: 40 M warp instructions, 10,000 passes of which were
  // executed.
  const Result::Profile short_one = two_ends(10'000).profile;
  EXPECT_EQ(short_one.left_out_blocks, 0);
  const double passes = short_one.warp_instructions - result.profile.warp_instructions;
  EXPECT_EQ(result.profile.left_out_blocks, 1);
  EXPECT_NEAR(result.profile.left_out_instructions, 50 * passes, 2 * passes);
  EXPECT_EQ(result.profile.all_instructions(),
            result.profile.warp_instructions + result.profile.left_out_instructions);
  const auto sampled =
      std::ranges::find(result.assumptions, "sampled-blocks", &Result::Assumption::id);
  ASSERT_NE(sampled, result.assumptions.end());
  EXPECT_NE(sampled->text.find("but for 1 that is too long"), std::string::npos) << sampled->text;
}

// It has not ended where the budget does: the time is what it has taken until then, at least.
TEST_F(RareBlocksTime, OneWithoutAnEndHasALeastTime) {
  const double half = two_ends(500'000).time_ms;
  const Result result = two_ends(4'000'000'000U);
  EXPECT_GT(result.time_ms, half);
  EXPECT_LT(result.time_ms, 8000 * half);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front().kind, "endless-block");
  EXPECT_NE(result.findings.front().text.find("has not ended after"), std::string::npos);
  EXPECT_GT(result.interval_ms[0], 0.5 * result.time_ms);
  EXPECT_GT(result.interval_ms[1], 900 * result.time_ms);
}

// Of 3000 blocks the last ten walk for a million steps, others for sixteen. Those that can be
// executed are short: the launch waits for the one that cut the sample all the same. With
// every block executed it takes 158 ms.
TEST_F(RareBlocksTime, TheOneThatCutASampleIsNotForgotten) {
  grid = 3000;
  const Result result = run("walks", {"0=buffer:3072000", "1=2990", "2=1048575"});
  EXPECT_GT(result.time_ms, 5);
  EXPECT_GT(result.interval_ms[1], 158);
  EXPECT_TRUE(std::ranges::any_of(
      result.findings, [](const Result::Finding& found) { return found.kind == "endless-block"; }));
}

// A hundred of 3000 blocks walk for as long as data say, 2^15 and 2^16 steps in the mean; with
// every block executed the launches take 7.11 and 17.1 ms. Those that were looked at are shorter
// than the longest of the others.
TEST_F(RareBlocksTime, TheLongestMayBeOneThatNobodyLookedAt) {
  grid = 3000;
  for (const auto& [mask, whole] : {std::pair("32767", 7.11), std::pair("65535", 17.06)}) {
    const Result result = run("walks", {"0=buffer:3072000", "1=2900", std::string("2=") + mask});
    EXPECT_GT(result.time_ms, whole / 2);
    EXPECT_LT(result.time_ms, whole * 2);
    EXPECT_LT(result.interval_ms[0], whole);
    EXPECT_GT(result.interval_ms[1], whole);
    EXPECT_TRUE(assumes(result, "unseen-longest"));
  }
}

// Some thousand of blocks that walk for 2^11 steps in the mean, all looked at: none is unseen.
TEST_F(RareBlocksTime, NoneIsUnseenWhereAllWereLookedAt) {
  grid = 600;
  const Result result = run("walks", {"0=buffer:3072000", "1=0", "2=4095"});
  EXPECT_FALSE(assumes(result, "unseen-longest"));
  EXPECT_EQ(result.interval_meaning.find("nobody looked at"), std::string::npos);
}

// A hundred that nobody can count to their end: they are as long as was counted, at least.
TEST_F(RareBlocksTime, ThoseThatGoOnTakeWhatWasCounted) {
  grid = 3000;
  const Result result = run("walks", {"0=buffer:3072000", "1=2900", "2=67108863"});
  EXPECT_GT(result.time_ms, 5);
  EXPECT_TRUE(std::ranges::any_of(
      result.findings, [](const Result::Finding& found) { return found.kind == "endless-block"; }));
}

// The last block is a part of its own in every sample, which is then too long as a whole.
TEST_F(RareBlocksTime, TheLastMayBeTooLong) {
  const Result result =
      run("one_block", {"0=buffer:102400000", "1=buffer:102400000", "2=99999", "3=10000000"});
  expect_passes(result.time_ms, 10'000'000);
  EXPECT_EQ(result.findings.front().kind, "cut");
}

// A loop that is too long to be executed does not take the slow path of its division.
TEST_F(RareBlocksTime, ForeseenDivisionsGoTheirUsualWay) {
  const double executed =
      run("quotients", {"0=buffer:102400000", "1=buffer:102400000", "2=777", "3=20000"}).time_ms;
  const double foreseen =
      run("quotients", {"0=buffer:102400000", "1=buffer:102400000", "2=777", "3=2000000"}).time_ms;
  EXPECT_NEAR(foreseen / executed, 100, 5);
}

// 1031 such blocks share 108 SMs: 1031 x 8 warps x 1e8 passes x 32 lanes / 64 FMA lanes an SM.
TEST_F(RareBlocksTime, ManyThatAreTooLongShareThePipes) {
  const Result result =
      run("remainder", {"0=buffer:102400000", "1=buffer:102400000", "2=100000000"});
  const double least = 1031 * 8 * 1e8 * 32 / 64 / 108 / (clock_mhz * 1e3);
  EXPECT_GT(result.time_ms, 0.99 * least);
  EXPECT_LT(result.time_ms, 1.3 * least);
}

// Every second block takes 1e8 passes and 2000 for each block before it: 2e8 on average.
TEST_F(RareBlocksTime, ManyThatGrowShareThePipesByTheirMean) {
  const Result result =
      run("growing", {"0=buffer:102400000", "1=buffer:102400000", "2=100000000", "3=2000"});
  const double least = 0.5 * blocks * 8 * 2e8 * 32 / 64 / 108 / (clock_mhz * 1e3);
  EXPECT_GT(result.time_ms, 0.99 * least);
  EXPECT_LT(result.time_ms, 1.15 * least);
}

// .. and 50,000 of which nobody foresees the passes share them as their beginnings do. A survey
// comes to the end of few of them, so that how many there are is known roughly.
TEST_F(RareBlocksTime, ManyThatNobodyForeseesShareThePipes) {
  const double executed = two_ends(2'000, 1).time_ms, begun = two_ends(400'000, 1).time_ms;
  EXPECT_GT(begun / executed, 0.5 * 200);
  EXPECT_LT(begun / executed, 1.5 * 200);
}

TEST_F(RareBlocksTime, FlagsInMemoryAreLookedFor) {
  std::vector<int> flags(blocks, 0);
  for (std::size_t i = 777; i < flags.size(); i += 1000) flags[i] = 1;
  const Result result = flagged(flags, 100'000);
  // All blocks are looked at. One takes 0.301 ms and nearly all of an SM's FMA lanes: of 100 that
  // are dealt to 108 SMs by chance, one of the SMs gets three or four, one after the other.
  EXPECT_GT(result.time_ms, 0.28);
  EXPECT_LT(result.time_ms, 4 * 0.301);
  EXPECT_LT(result.profile.relative_error, 0.01);
}

TEST_F(RareBlocksTime, ARememberedLaunchWaitsToo) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "rare_blocks";
  std::filesystem::remove_all(folder);
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  remembers = true;
  const Result first = one_block(300'000);
  predictor = Predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  EXPECT_EQ(one_block(300'000).time_ms, first.time_ms);
  EXPECT_FALSE(std::filesystem::is_empty(folder));
  unsetenv("XDG_CACHE_HOME");
  std::filesystem::remove_all(folder);
}

TEST_F(RareBlocksTime, WhatNobodyLookedAtWidens) {
  const Result none = flagged(std::vector<int>(blocks, 0), 100'000);
  EXPECT_TRUE(assumes(none, "unseen-code"));
  EXPECT_GT(none.interval_ms[1], 1.5 * none.time_ms);
  const Result all = flagged(std::vector<int>(blocks, 1), 10);
  EXPECT_FALSE(assumes(all, "unseen-code"));
}

}  // namespace
}  // namespace forewarp::tests
