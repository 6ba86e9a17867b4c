// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/ordered_pipeline.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// Takes long for some items, so that threads overtake each other.
std::uint64_t uneven_square(std::uint64_t number) {
  if (number % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
  return number * number;
}

std::vector<std::uint64_t> squares(std::uint64_t count, PipelineSize size) {
  std::uint64_t next = 0;
  std::vector<std::uint64_t> results;
  PipelineSteps<std::uint64_t, std::uint64_t> steps;
  steps.next = [&](std::uint64_t& item) { return (item = next++) < count; };
  steps.work = [](std::uint64_t item, unsigned) { return uneven_square(item); };
  steps.finish = [&](std::uint64_t& output) {
    results.push_back(output);
    return true;
  };
  OrderedPipeline(std::move(steps), size).run();
  return results;
}

TEST(OrderedPipeline, KeepsTheOrderWhateverTheThreads) {
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 1000; ++i) expected.push_back(i * i);
  for (const unsigned jobs : {1U, 2U, 3U, 8U}) {
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{64}}) {
      EXPECT_EQ(squares(1000, {jobs, chunk, 2}), expected) << jobs << " threads, chunk " << chunk;
    }
  }
}

TEST(OrderedPipeline, DoesNothingForNothing) {
  EXPECT_TRUE(squares(0, {4, 8, 2}).empty());
  EXPECT_EQ(squares(1, {4, 8, 2}).size(), 1U);
}

TEST(OrderedPipeline, EveryWorkerIsBelowTheNumberOfJobs) {
  std::uint64_t next = 0;
  std::atomic<unsigned> highest = 0;
  PipelineSteps<std::uint64_t, int> steps;
  steps.next = [&](std::uint64_t&) { return next++ < 500; };
  steps.work = [&](std::uint64_t, unsigned worker) {
    unsigned seen = highest;
    while (worker > seen && !highest.compare_exchange_weak(seen, worker)) {
    }
    return 0;
  };
  steps.finish = [](int&) { return true; };
  OrderedPipeline(std::move(steps), {3, 1, 4}).run();
  EXPECT_LT(highest, 3U);
}

TEST(OrderedPipeline, FinishesOneAtATime) {
  std::uint64_t next = 0;
  std::atomic<int> inside = 0;
  std::atomic<int> most_inside = 0;
  PipelineSteps<std::uint64_t, int> steps;
  steps.next = [&](std::uint64_t&) { return next++ < 200; };
  steps.work = [](std::uint64_t, unsigned) { return 0; };
  steps.finish = [&](int&) {
    most_inside = std::max(most_inside.load(), ++inside);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    --inside;
    return true;
  };
  OrderedPipeline(std::move(steps), {4, 1, 8}).run();
  EXPECT_EQ(most_inside, 1);
}

TEST(OrderedPipeline, BoundsWhatWaits) {
  std::uint64_t next = 0;
  std::uint64_t finished = 0;
  std::uint64_t most_waiting = 0;
  PipelineSteps<std::uint64_t, std::uint64_t> steps;
  steps.next = [&](std::uint64_t& item) { return (item = next++) < 2000; };
  steps.work = [](std::uint64_t item, unsigned) {
    if (item == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return item;
  };
  steps.finish = [&](std::uint64_t& output) {
    EXPECT_EQ(output, finished);
    ++finished;
    return true;
  };
  auto counted = steps;
  std::atomic<std::uint64_t> started = 0;
  counted.work = [&, work = steps.work](std::uint64_t item, unsigned worker) {
    ++started;
    return work(item, worker);
  };
  counted.finish = [&, finish = steps.finish](std::uint64_t& output) {
    most_waiting = std::max(most_waiting, started - finished);
    return finish(output);
  };
  OrderedPipeline(std::move(counted), {4, 2, 3}).run();
  EXPECT_EQ(finished, 2000U);
  EXPECT_LE(most_waiting, 4U * 2U * 3U + 2U);  // the window, and a chunk that is being finished
}

TEST(OrderedPipeline, EndsWhenTheSinkSaysSo) {
  for (const unsigned jobs : {1U, 4U}) {
    std::uint64_t next = 0;
    std::uint64_t finished = 0;
    PipelineSteps<std::uint64_t, std::uint64_t> steps;
    steps.next = [&](std::uint64_t& item) { return (item = next++) < 1000000; };
    steps.work = [](std::uint64_t item, unsigned) { return item; };
    steps.finish = [&](std::uint64_t&) { return ++finished < 10; };
    OrderedPipeline(std::move(steps), {jobs, 4, 2}).run();
    EXPECT_EQ(finished, 10U);
    EXPECT_LT(next, 1000U);
  }
}

TEST(OrderedPipeline, ZeroJobsMeansTheMachines) {
  EXPECT_GE(thread_count(0), 1U);
  EXPECT_EQ(thread_count(3), 3U);
}

}  // namespace
}  // namespace forewarp::tests
