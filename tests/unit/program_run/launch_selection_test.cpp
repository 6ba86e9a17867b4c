// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/launch_selection.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using namespace program_run;  // NOLINT

/// 'x' for each launch that is taken.
std::string taken(const SelectionText& text, const std::vector<std::string>& kernels) {
  auto selection = LaunchSelection::of(text);
  EXPECT_TRUE(selection);
  std::string marks;
  for (const std::string& kernel : kernels) marks += selection->takes(kernel) ? 'x' : '.';
  return marks;
}

TEST(LaunchSelection, TakesAllWithoutASelection) {
  EXPECT_EQ(taken({}, {"a", "b", "a"}), "xxx");
}

TEST(LaunchSelection, SkipsAndCountsThoseThatItNames) {
  const std::vector<std::string> launches = {"sgemm_nn", "copy", "sgemm_nt", "sgemm", "sgemm_nn"};
  EXPECT_EQ(taken({"kernel~gemm", 0, 0}, launches), "x.xxx");
  EXPECT_EQ(taken({"kernel~gemm", 1, 2}, launches), "..xx.");
  EXPECT_EQ(taken({"kernel~_n[nt]$", 0, 2}, launches), "x.x..");
  EXPECT_EQ(taken({"kernel=sgemm", 0, 0}, launches), "...x.");
  EXPECT_EQ(taken({"", 3, 1}, launches), "...x.");
}

TEST(LaunchSelection, RefusesWhatSelectsNothing) {
  EXPECT_EQ(LaunchSelection::of({"gemm", 0, 0}).error().line(),
            "--select: 'gemm' does not say which kernels; expected kernel~PATTERN or kernel=NAME; "
            "--select 'kernel~gemm'");
  EXPECT_FALSE(LaunchSelection::of({"kernel~", 0, 0}));
  EXPECT_FALSE(LaunchSelection::of({"kernel~(", 0, 0}));
  EXPECT_FALSE(LaunchSelection::of({"block~x", 0, 0}));
}

}  // namespace
}  // namespace forewarp::tests
