// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "synthetic/synthetic_kernel.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Gpu board(std::string_view id) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  auto gpu = database.load(id);
  EXPECT_TRUE(gpu);
  return *gpu;
}

TEST(Workload, ReadsItsOwnText) {
  for (const char* text :
       {"memory:alpha=23", "memory:alpha=0,ilp=2", "sfu:alpha=0.25", "shared:alpha=8,ways=2",
        "memory:alpha=1,stride=2", "memory:alpha=1,random", "memory:alpha=inf"}) {
    const auto workload = parse_workload(text);
    ASSERT_TRUE(workload) << text;
    EXPECT_EQ(workload_text(*workload), text);
  }
}

TEST(Workload, BelowOneIsOthersPerAddition) {
  const auto quarter = parse_workload("sfu:alpha=0.25");
  EXPECT_EQ(quarter->additions(), 1U);
  EXPECT_EQ(quarter->others(), 4U);
  const auto none = parse_workload("memory:alpha=inf");
  EXPECT_EQ(none->additions(), 1U);
  EXPECT_EQ(none->others(), 0U);
}

TEST(Workload, ThirdsKeepAllTheirDigits) {
  Workload third;
  third.alpha = 1.0 / 3;
  const auto again = parse_workload(workload_text(third));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->alpha, third.alpha);
  EXPECT_EQ(again->others(), 3U);
}

TEST(Workload, RefusesWhatIsNoWholeGroup) {
  for (const char* text :
       {"texture", "memory:alpha=1.5", "memory:alpha=0.3", "memory:alpha=-1", "memory:ilp=0",
        "memory:stride=0", "memory:depth=2", "memory:alpha=x", "memory:", "sfu:alpha=100000"}) {
    const auto workload = parse_workload(text);
    ASSERT_FALSE(workload) << text;
    EXPECT_EQ(workload.error().place, "workload '" + std::string(text) + "'");
  }
}

TEST(SyntheticKernel, IsOneDependentChainInALoop) {
  const SyntheticKernel made =
      synthetic_kernel(*parse_workload("memory:alpha=3"), board("gtx480@volkov"), 100);
  ASSERT_EQ(made.kernel.instructions.size(), 4U);
  EXPECT_EQ(made.kernel.text_of(made.kernel.instructions[0]), "LDG R2, [R2]");
  EXPECT_EQ(made.kernel.text_of(made.kernel.instructions[3]), "FADD R2, R2, R1");
  EXPECT_EQ(made.path.loops.front().trips, 100);
  EXPECT_EQ(made.additions, 3);
  EXPECT_EQ(made.others, 1);
}

TEST(SyntheticKernel, ChainsAreInterleaved) {
  const SyntheticKernel made =
      synthetic_kernel(*parse_workload("memory:alpha=1,ilp=2"), board("gtx480@volkov"), 1);
  ASSERT_EQ(made.kernel.instructions.size(), 4U);
  EXPECT_EQ(made.kernel.text_of(made.kernel.instructions[1]), "LDG R3, [R3]");
  EXPECT_EQ(made.kernel.text_of(made.kernel.instructions[2]), "FADD R2, R2, R1");
}

TEST(SyntheticKernel, AccessesTouchWhatTheyShould) {
  const Gpu gpu = board("gtx980@volkov");  // sectors of 32 bytes, 32 banks
  const auto sectors = [&](const char* text) {
    return synthetic_kernel(*parse_workload(text), gpu, 1).patterns[0].sectors;
  };
  EXPECT_EQ(sectors("memory:alpha=1"), 4);           // 32 lanes of 4 bytes
  EXPECT_EQ(sectors("memory:alpha=1,stride=2"), 8);  // twice as far apart
  EXPECT_EQ(sectors("memory:alpha=1,random"), 32);   // each its own
  const auto passes = [&](const char* text) {
    return synthetic_kernel(*parse_workload(text), gpu, 1).patterns[0].passes;
  };
  EXPECT_EQ(passes("shared:alpha=1"), 1);
  EXPECT_EQ(passes("shared:alpha=1,ways=2"), 2);
  EXPECT_EQ(passes("shared:alpha=1,ways=8"), 8);
}

}  // namespace
}  // namespace forewarp::tests
