// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/points/chunk_queue.h"

#include <atomic>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "sweep/points/thread_runner.h"

namespace forewarp::tests {
namespace {

TEST(ChunkSize, GrowsWhilePointsAreQuickAndShrinksWhenTheyAreNot) {
  ChunkSize size;
  EXPECT_EQ(size.points(), 1U);
  size.took(0.001);
  size.took(0.001);
  EXPECT_EQ(size.points(), 4U);
  size.took(0.05);  // neither
  EXPECT_EQ(size.points(), 4U);
  size.took(1);
  EXPECT_EQ(size.points(), 2U);
  for (int i = 0; i < 3; ++i) size.took(1);
  EXPECT_EQ(size.points(), 1U);
  for (int i = 0; i < 30; ++i) size.took(0);
  EXPECT_EQ(size.points(), 1024U);
}

/// A job that takes every number once; those below `known` need not be computed.
struct Counted {
  explicit Counted(std::uint64_t count, std::uint64_t known = 0) {
    job.count = count;
    job.known = [known](std::uint64_t number) {
      return number < known ? std::optional<std::string>("known") : std::nullopt;
    };
    job.compute = [this](std::uint64_t number, unsigned) {
      ++computed;
      return std::to_string(number);
    };
    job.take = [this](std::uint64_t number, std::string_view bytes, bool is_new) {
      EXPECT_TRUE(taken.insert(number).second) << number;
      EXPECT_EQ(bytes, is_new ? std::to_string(number) : "known");
      return taken.size() < most;
    };
  }
  PointJob job;
  std::set<std::uint64_t> taken;
  std::atomic<std::uint64_t> computed = 0;
  std::size_t most = 1'000'000;
};

TEST(ChunkQueue, HandsOutEveryNumberOnceAndPassesOverWhatIsKnown) {
  Counted counted(5, 2);
  ChunkQueue book(counted.job);
  const auto first = book.claim(2);
  EXPECT_EQ(first, (std::vector<std::uint64_t>{2, 3}));
  const auto second = book.claim(2);
  EXPECT_EQ(second, std::vector<std::uint64_t>{4});
  EXPECT_EQ(book.out(), 3U);
  EXPECT_TRUE(book.claim(2).empty());
  EXPECT_TRUE(book.give(second, {"4"}));
  EXPECT_TRUE(book.give(first, {"2", "3"}));
  EXPECT_EQ(book.out(), 0U);
  EXPECT_EQ(counted.taken.size(), 5U);
}

TEST(ChunkQueue, APointThatWasNotFinishedIsNotTaken) {
  Counted counted(2);
  ChunkQueue book(counted.job);
  EXPECT_TRUE(book.give(book.claim(2), {"", "1"}));
  EXPECT_EQ(counted.taken, std::set<std::uint64_t>{1});
}

TEST(ChunkQueue, EndsWhenNothingMoreIsTaken) {
  Counted counted(10);
  counted.most = 1;
  ChunkQueue book(counted.job);
  const auto numbers = book.claim(3);
  EXPECT_FALSE(book.give(numbers, {"0", "1", "2"}));
  EXPECT_EQ(counted.taken.size(), 1U);
  EXPECT_TRUE(book.claim(3).empty());
}

TEST(ThreadRunner, TakesEveryPointOnceWhateverTheNumberOfThreads) {
  for (const unsigned jobs : {1U, 2U, 5U}) {
    Counted counted(3000, 100);
    ThreadRunner runner(jobs);
    EXPECT_EQ(runner.workers(), jobs);
    EXPECT_TRUE(runner.keeps());
    ASSERT_TRUE(runner.run(counted.job));
    EXPECT_EQ(counted.taken.size(), 3000U);
    EXPECT_EQ(counted.computed, 2900U);
  }
}

TEST(ThreadRunner, BeginsNothingOnceItIsStopped) {
  Counted counted(3000);
  counted.job.stop = [&] { return counted.computed >= 1; };
  ASSERT_TRUE(ThreadRunner(1).run(counted.job));
  EXPECT_EQ(counted.taken.size(), 1U);
}

}  // namespace
}  // namespace forewarp::tests
