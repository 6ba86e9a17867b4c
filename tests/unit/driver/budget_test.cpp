// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that do not end, stop, take long or share their work, and what a budget makes of them.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "driver/predictor.h"
#include "request/argument_text.h"
#include "request/tables/work_budget.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Case kernel_case(const std::string& kernel, std::uint32_t blocks,
                 const std::vector<std::string>& arguments) {
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/validation/kernels/persistent_queue.sass";
  request.kernel = kernel;
  request.gpu = "a40";
  request.launch.grid = {blocks, 1, 1};
  request.launch.block = {128, 1, 1};
  for (const std::string& text : arguments) {
    request.launch.arguments.push_back(*parse_argument(text));
  }
  return request;
}

Case queue(std::uint32_t blocks, std::uint32_t tiles) {
  return kernel_case("persistent_queue", blocks,
                     {"0=buffer:16777216", "1=buffer:16777216", "2=buffer:4:zeros",
                      "3=" + std::to_string(tiles), "4=32"});
}

class Budget : public testing::Test {
 protected:
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};

  Expected<Result> run(const Case& request, double budget = 0, unsigned jobs = 1) {
    PredictOptions options;
    options.cache = false;
    options.jobs = jobs;
    if (budget > 0) options.budget_seconds = budget;
    return predictor.predict(request, request.gpu, options, {});
  }
  std::string refusal(const Case& request, double budget = 0) {
    const auto result = run(request, budget);
    return result ? "predicted" : result.error().line();
  }
};

bool has_finding(const Result& result, const std::string& kind) {
  for (const auto& finding : result.findings) {
    if (finding.kind == kind) return true;
  }
  return false;
}

TEST_F(Budget, AKernelThatWaitsForEverIsRefused) {
  const std::string found =
      refusal(kernel_case("endless_wait", 8, {"0=buffer:4:zeros", "1=buffer:1024"}), 0.01);
  EXPECT_NE(found.find("block 0 waits for ever at"), std::string::npos) << found;
  EXPECT_NE(found.find("no block writes what it waits for"), std::string::npos) << found;
}

// Of 20,000 blocks some wait for one: those that are executed together, and none of the others, see
// it. One that waits does not keep the others from ending; if as many wait as there is room for,
// the last never starts; and if nobody writes, nobody knows that before all have been followed.
TEST_F(Budget, BlocksThatWaitForOneThatWasNotExecuted) {
  const auto waiting = [](const std::string& blocks, const std::string& one) {
    return kernel_case("wait_for_one", 20'000,
                       {"0=buffer:4:zeros", "1=buffer:10240000", "2=" + blocks, "3=" + one});
  };
  const auto few = run(waiting("1", "19999"), 2);
  ASSERT_TRUE(few) << few.error().line();
  EXPECT_FALSE(has_finding(*few, "endless-block"));  // followed in time to its end, it is seen
  const std::string full = refusal(waiting("20000", "19999"));
  EXPECT_NE(full.find("blocks are resident and wait, "), std::string::npos) << full;
  EXPECT_NE(full.find(" others cannot start"), std::string::npos) << full;
  const std::string nobody = refusal(waiting("1", "20000"), 2);
  EXPECT_NE(nobody.find("no block writes what it waits for"), std::string::npos) << nobody;
  const auto unknown = run(waiting("1", "20000"), 0.1);
  ASSERT_TRUE(unknown) << unknown.error().line();
  EXPECT_TRUE(has_finding(*unknown, "endless-block"));
  EXPECT_NE(unknown->findings.front().text.find("blocks wait for some that were not executed"),
            std::string::npos)
      << unknown->findings.front().text;
}

// One lane after the other has the lock, whatever the others of its warp wait for.
TEST_F(Budget, ALockThatEachLaneTakesIsHandedOn) {
  Case request = kernel_case("lane_lock", 2, {"0=buffer:4:zeros", "1=buffer:4:zeros"});
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/validation/kernels/lane_locks.sass";
  request.launch.block = {32, 1, 1};
  const auto result = run(request);
  ASSERT_TRUE(result) << result.error().line();
  // 64 lanes take it and give it back: as many requests, and the vain ones.
  EXPECT_GE(result->profile.atomic_requests, 2 * 64.0);
}

TEST_F(Budget, AKernelThatStopsItselfIsRefused) {
  const std::string found = refusal(kernel_case("stopped", 8, {"0=buffer:65536", "1=4"}));
  EXPECT_NE(found.find("the kernel stops itself"), std::string::npos) << found;
}

// 0.01 s are 0.01 * 40e6 * 0.8 / 2 = 160,000 warp instructions; 4 warps of 2e6 passes are more.
TEST_F(Budget, ALongLoopIsCutAndItsCountsFollowItsTripCount) {
  const auto launch = [](std::uint32_t passes) {
    return kernel_case("long_loop", 84,
                       {"0=buffer:43008", "1=buffer:43008", "2=" + std::to_string(passes)});
  };
  const auto whole = run(launch(1000), 0.5);
  const auto cut = run(launch(2000000), 0.01);
  ASSERT_TRUE(whole) << whole.error().line();
  ASSERT_TRUE(cut) << cut.error().line();
  EXPECT_FALSE(has_finding(*whole, "cut"));
  EXPECT_TRUE(has_finding(*cut, "cut"));
  // Both have a part that does not grow; the loop is 2000 times as long.
  EXPECT_NEAR(cut->profile.warp_instructions / whole->profile.warp_instructions, 2000, 40);
  EXPECT_NEAR(cut->time_ms / whole->time_ms, 2000, 200);
  const double width = cut->interval_ms[1] / cut->time_ms;
  EXPECT_GE(width, own_work_rates().cut_factor);
  EXPECT_NE(cut->interval_meaning.find("budget"), std::string::npos) << cut->interval_meaning;
}

// 512 tiles of 32 rows of 128 floats are read once, whoever takes them: 8 MiB.
TEST_F(Budget, ABlocksShareOfAQueueIsThatOfAllBlocksTogether) {
  for (const std::uint32_t blocks : {8U, 84U}) {
    const auto result = run(queue(blocks, 512));
    ASSERT_TRUE(result) << result.error().line();
    EXPECT_EQ(result->profile.executed_blocks, blocks);
    const double bytes = 512.0 * 32 * 128 * 4;
    EXPECT_NEAR(result->profile.global_load_sectors * 32, bytes, 0.01 * bytes);
    EXPECT_EQ(result->profile.atomic_requests, 512.0 + blocks);
  }
}

TEST_F(Budget, AQueueThatTakesMoreThanTheBudgetIsRefused) {
  const std::string found = refusal(queue(84, 512), 0.0005);
  EXPECT_NE(found.find("work moves between its blocks"), std::string::npos) << found;
}

TEST_F(Budget, ThreadsChangeNothing) {
  const auto request = kernel_case("long_loop", 84, {"0=buffer:43008", "1=buffer:43008", "2=9000"});
  for (const double budget : {0.5, 0.02, 0.005}) {
    const auto one = run(request, budget, 1), four = run(request, budget, 4);
    ASSERT_TRUE(one && four);
    EXPECT_EQ(one->time_ms, four->time_ms);
    EXPECT_EQ(one->profile.warp_instructions, four->profile.warp_instructions);
    EXPECT_EQ(one->interval_ms, four->interval_ms);
  }
}

/// The loop goes on along the line through two shorter looks.
TEST_F(Budget, ABlockThatIsFollowedForLessTakesAboutAsLong) {
  const auto request = kernel_case("long_loop", 84, {"0=buffer:43008", "1=buffer:43008", "2=900"});
  PredictOptions options;
  options.cache = false;
  options.models = {"volkov"};
  double usual = 0;
  for (const double budget : {0.5, 0.2, 0.05}) {
    options.budget_seconds = budget;
    const auto result = predictor.predict(request, request.gpu, options, {});
    ASSERT_TRUE(result) << result.error().line();
    if (usual == 0) usual = result->time_ms;
    EXPECT_NEAR(result->time_ms, usual, 0.01 * usual) << budget;
  }
}

TEST(WorkRates, OwnOnesAreReadAndWrongOnesRefused) {
  EXPECT_GT(own_work_rates().warp_instructions, 1e6);
  EXPECT_GE(own_work_rates().cut_factor, 1);
  const std::string head = "schema = \"forewarp.work/1\"\n";
  EXPECT_FALSE(parse_work_rates(head, "work.toml"));
  const std::string rates =
      "[rate]\nwarp_instructions = 1\nreplayed_lines = 1\nsimulated_instructions = 1\n"
      "library_operations = 1\n";
  EXPECT_TRUE(parse_work_rates(head + rates, "work.toml"));
  EXPECT_FALSE(parse_work_rates(rates, "work.toml"));
  EXPECT_FALSE(parse_work_rates(head + rates + "[cut]\nfactor = 0.5\n", "work.toml"));
  EXPECT_FALSE(parse_work_rates(head + rates + "other = 1\n", "work.toml"));
}

}  // namespace
}  // namespace forewarp::tests
