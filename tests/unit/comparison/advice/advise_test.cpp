// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/advice/advise.h"

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

// What counts as other work is told by the amount that differs by more than 2 %.
TEST(OtherWork, SaysWhatTheKernelDoesInstead) {
  Result now;
  now.launch.grid = {16, 1, 1};
  now.launch.block = {32, 1, 1};
  now.profile.unique_read_bytes = 4'194'304;
  now.profile.unique_write_bytes = 2048;
  now.profile.threads_by_class = {{"load_global", 512}, {"store_global", 64}};
  Result then = now;
  then.launch.grid = {8, 1, 1};
  then.launch.block = {64, 1, 1};
  EXPECT_EQ(other_work(now, then), "");
  then.profile.threads_by_class = {{"load_global", 520}, {"store_global", 65}};  // 1.6 and 1.5 %
  EXPECT_EQ(other_work(now, then), "");
  then.profile.threads_by_class = {{"load_global", 512}, {"store_global", 2000}};
  const std::string expects = ": its blocks have the size that it expects";
  EXPECT_EQ(other_work(now, then),
            "the kernel then stores 2 k words instead of 64 words" + expects);
  then.profile.unique_write_bytes = 100;
  EXPECT_EQ(other_work(now, then), "the kernel then writes 100 B instead of 2.05 kB" + expects);
  then.profile.unique_read_bytes = 1'048'576;
  EXPECT_EQ(other_work(now, then), "the kernel then reads 1.05 MB instead of 4.19 MB" + expects);
  then.findings = {{"out-of-bounds", "0x10"}};
  EXPECT_EQ(other_work(now, then), "the kernel then accesses memory behind its buffers" + expects);
}

/// 1,000 blocks of 32 threads with 640,000 thread instructions, and with fewer blocks as many.
std::pair<Result, Result> fewer_blocks(std::uint32_t blocks) {
  Result now;
  now.launch.grid = {1000, 1, 1};
  now.launch.block = {32, 1, 1};
  now.profile.thread_instructions = 640'000;
  Result then = now;
  then.launch.grid = {blocks, 1, 1};
  return {now, then};
}

// Whatever moves data or adds to it is compared, in whichever space it is named.
TEST(OtherWork, CountsEveryAccessAndAtomic) {
  const std::string expects = ": its grid has the size that it expects";
  for (const auto& [kind, told] :
       {std::pair{"atomic_global", "does 27 k atomics"},
        std::pair{"reduction_global", "does 27 k atomics"},
        std::pair{"load_generic", "loads 27 k words"},
        std::pair{"store_generic", "stores 27 k words"},
        std::pair{"async_copy", "copies 27 k words"}, std::pair{"texture", "fetches 27 k texels"},
        std::pair{"surface_load", "loads 27 k texels"},
        std::pair{"surface_store", "stores 27 k texels"}}) {
    auto [now, then] = fewer_blocks(844);
    now.profile.threads_by_class = {{kind, 32'000}};
    then.profile.threads_by_class = {{kind, 32'000}};
    EXPECT_EQ(other_work(now, then), "") << kind;
    then.profile.threads_by_class = {{kind, 27'008}};
    EXPECT_EQ(other_work(now, then).find(std::string("the kernel then ") + told), 0U)
        << kind << other_work(now, then);
  }
}

// 10 of 1,000 blocks fewer leave out 1 %: less than counting may differ where nothing is left out.
TEST(OtherWork, ASmallerGridLeavesOutAsMuchOfTheWork) {
  auto [now, then] = fewer_blocks(990);
  now.profile.threads_by_class = {{"store_global", 32'000}};
  then.profile.threads_by_class = {{"store_global", 32'000}};
  EXPECT_EQ(other_work(now, then), "");
  then.profile.threads_by_class = {{"store_global", 31'680}};
  EXPECT_EQ(other_work(now, then),
            "the kernel then stores 31.7 k words instead of 32 k words: its grid has the size that "
            "it expects");
}

// 90 % of the threads: with 576,000 instructions each does what it did, with 600,000 it does more.
TEST(OtherWork, FewerThreadsHaveToDoMoreEach) {
  auto [now, then] = fewer_blocks(900);
  then.profile.thread_instructions = 576'000;
  EXPECT_EQ(other_work(now, then),
            "the kernel then has 10 % fewer threads, each of which does no more than before: its "
            "grid has the size that it expects");
  then.profile.thread_instructions = 600'000;
  EXPECT_EQ(other_work(now, then), "");
}

/// The bundled kernel: a thread for each element, a dependent multiply-add `a` times.
Case saxpy2(std::uint32_t block, std::int64_t n) {
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass";
  request.launch.grid = {static_cast<std::uint32_t>(n) / block, 1, 1};
  request.launch.block = {block, 1, 1};
  for (const auto& [name, value] : {std::pair<const char*, std::int64_t>{"n", n}, {"a", 16}}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.integer = value;
    request.launch.arguments.push_back(argument);
  }
  return request;
}

// A block of one warp leaves 32 of 64 warps on an SM of 5.2, which holds 32 blocks.
TEST(Advise, FindsBlocksThatAreTooSmall) {
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  const auto advice = advise(predictor, saxpy2(32, 4'000'000), "gtx970", {}, 1);
  ASSERT_TRUE(advice) << advice.error().line();
  ASSERT_FALSE(advice->gains.empty());
  const Advice::Edit& first = advice->gains.front();
  EXPECT_EQ(first.kind, "block-size");
  EXPECT_LT(first.time_ms, advice->now.time_ms);
  EXPECT_EQ(first.line, 0U);
  EXPECT_TRUE(advice->now.listing.empty());
}

TEST(Advise, DoesNotDependOnTheNumberOfThreads) {
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  const auto one = advise(predictor, saxpy2(32, 400'000), "gtx970", {}, 1);
  const auto three = advise(predictor, saxpy2(32, 400'000), "gtx970", {}, 3);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(to_json(*one), to_json(*three));
}

TEST(Advise, RefusesWhatCannotBePredicted) {
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  const auto advice = advise(predictor, saxpy2(2048, 4'194'304), "gtx970", {}, 1);
  ASSERT_FALSE(advice);
  EXPECT_NE(advice.error().line().find("1024"), std::string::npos) << advice.error().line();
}

}  // namespace
}  // namespace forewarp::tests
