// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/own_work.h"

#include <gtest/gtest.h>

#include "request/tables/work_budget.h"

namespace forewarp::tests {
namespace {

using namespace program_run;  // NOLINT

TEST(OwnWork, LeavesHalfOfTheLimitToTheProgram) {
  Settings settings;
  settings.limit_s = 80;
  OwnWork work(settings);
  work.executed(10, 30);
  work.predicted(9);
  EXPECT_TRUE(work.may_execute());
  EXPECT_FALSE(work.may_execute(1.5));  // 40.5 s of 40
  work.predicted(2);
  EXPECT_FALSE(work.may_execute());  // 41 s
  EXPECT_TRUE(work.may_predict());   // of 50 s
  work.predicted(9);
  EXPECT_FALSE(work.may_predict());
}

TEST(OwnWork, NoClockDecidesWithoutALimitOrWhenAllIsExecuted) {
  Settings settings;
  OwnWork work(settings);
  work.executed(10, 1e6);
  EXPECT_TRUE(work.may_execute());
  EXPECT_TRUE(work.may_predict());
  Settings all;
  all.limit_s = 10;
  all.execute = Execute::all;
  OwnWork whole(all);
  whole.executed(10, 20);
  EXPECT_TRUE(whole.may_execute(20));
  EXPECT_EQ(whole.instructions_left(), 1ULL << 42);
}

TEST(OwnWork, CountsWhatTheBudgetHasLeft) {
  Settings settings;
  settings.budget_s = 2;
  OwnWork work(settings);
  const double rate = request::own_work_rates().warp_instructions;
  work.executed(static_cast<std::uint64_t>(0.5 * rate), 0);
  EXPECT_NEAR(static_cast<double>(work.instructions_left()), 1.5 * rate, 2);
  work.executed(static_cast<std::uint64_t>(3 * rate), 0);
  EXPECT_EQ(work.instructions_left(), 1U);  // a launch that takes more is cut and says so
}

}  // namespace
}  // namespace forewarp::tests
