// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/architecture_choice.h"

#include <optional>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

ArchitectureChoice chosen(const AvailableCode& code, std::uint32_t wanted, bool assume = false) {
  const auto choice = choose_architecture(code, wanted, assume);
  EXPECT_TRUE(choice) << choice.error().line();
  return choice ? *choice : ArchitectureChoice{};
}

TEST(ArchitectureChoice, CodeRunsOnTheSameMajorFromItsMinorOn) {
  EXPECT_TRUE(runs_on(80, 80));
  EXPECT_TRUE(runs_on(80, 86));
  EXPECT_TRUE(runs_on(86, 89));
  EXPECT_FALSE(runs_on(86, 80));
  EXPECT_FALSE(runs_on(75, 80));
  EXPECT_FALSE(runs_on(90, 100));
  EXPECT_TRUE(runs_on(100, 103));
  EXPECT_FALSE(runs_on(103, 110));
}

TEST(ArchitectureChoice, TheExactOneNeedsNoAssumption) {
  const auto choice = chosen({{52, 80, 86}, {}}, 86);
  EXPECT_EQ(choice.sm, 86U);
  EXPECT_FALSE(choice.compile_ptx);
  EXPECT_EQ(choice.assumption, "");
}

TEST(ArchitectureChoice, TheNearestThatRunsIsTaken) {
  const auto choice = chosen({{86, 80, 52, 90}, {90}}, 89);
  EXPECT_EQ(choice.sm, 86U);
  EXPECT_FALSE(choice.compile_ptx);
}

TEST(ArchitectureChoice, MachineCodeComesBeforePtxAndPtxBeforeAWhatIf) {
  EXPECT_FALSE(chosen({{70}, {75}}, 75).compile_ptx);
  const auto choice = chosen({{52}, {50, 70, 90}}, 75, true);
  EXPECT_TRUE(choice.compile_ptx);
  EXPECT_EQ(choice.sm, 70U);
  EXPECT_NE(choice.assumption.find("PTX for compute_70"), std::string::npos);
}

TEST(ArchitectureChoice, RefusesWithTheArchitecturesOfTheFile) {
  const auto choice = choose_architecture({{70, 52, 70}, {90}}, 86, false);
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().line(),
            "the file has code for sm_52, sm_70, compute_90, which does not run on sm_86; expected "
            "code for sm_86, or an older sm_8x; compile it for that GPU, or add --assume-isa to "
            "predict this code as if it ran there");
}

TEST(ArchitectureChoice, NewerMinorIsRefused) {
  const auto choice = choose_architecture({{61}, {}}, 60, false);
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().expected, "code for sm_60");
}

TEST(ArchitectureChoice, AssumeIsaTakesTheNewestOlderElseTheOldestNewer) {
  EXPECT_EQ(chosen({{52, 70, 90}, {}}, 86, true).sm, 70U);
  EXPECT_EQ(chosen({{70, 61, 90}, {}}, 35, true).sm, 61U);
}

TEST(ArchitectureChoice, WithoutAGpuTheNewestIsTakenAndSaid) {
  const auto one = choose_architecture({{52, 52}, {}}, std::nullopt, false);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->assumption, "");
  const auto several = choose_architecture({{52, 70}, {80}}, std::nullopt, false);
  ASSERT_TRUE(several);
  EXPECT_EQ(several->sm, 70U);
  EXPECT_EQ(several->assumption,
            "no GPU was named: the newest code of the file, sm_70, was taken from sm_52, sm_70, "
            "compute_80");
}

TEST(ArchitectureChoice, AnEmptyFileIsRefused) {
  EXPECT_FALSE(choose_architecture({}, 80, true));
  EXPECT_FALSE(choose_architecture({}, std::nullopt, false));
}

}  // namespace
}  // namespace forewarp::tests
