// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/board_names.h"

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr double gigabyte = 1024.0 * 1024 * 1024;

const std::vector<BoardName>& boards() {
  static const std::vector<BoardName> list{
      {"rtx3090", "NVIDIA GeForce RTX 3090", 24 * gigabyte},
      {"rtx3090ti", "NVIDIA GeForce RTX 3090 Ti", 24 * gigabyte},
      {"rtx3080", "NVIDIA GeForce RTX 3080", 10 * gigabyte},
      {"rtx3080-12", "NVIDIA GeForce RTX 3080 12GB", 12 * gigabyte},
      {"v100-pcie-16", "NVIDIA Tesla V100-PCIE-16GB", 16 * gigabyte},
      {"v100-sxm2-32", "NVIDIA Tesla V100-SXM2-32GB", 32 * gigabyte},
      {"a100-pcie-80", "NVIDIA A100 80GB PCIe", 80 * gigabyte},
      {"titanx", "NVIDIA GeForce GTX TITAN X", 12 * gigabyte},
      {"titanxpascal", "NVIDIA TITAN X (Pascal)", 12 * gigabyte}};
  return list;
}

/// The ids, one blank between two.
std::string named(std::string_view asked) {
  std::string ids;
  for (const BoardName& board : boards_named(asked, boards())) {
    ids += (ids.empty() ? "" : " ") + board.id;
  }
  return ids;
}

TEST(BoardNames, WordsInARowOfTheNameOrTheId) {
  EXPECT_EQ(named("3090ti"), "rtx3090ti");
  EXPECT_EQ(named("RTX 3090 Ti"), "rtx3090ti");
  EXPECT_EQ(named("nvidia 3090-ti"), "rtx3090ti");
  EXPECT_EQ(named("v100"), "v100-pcie-16 v100-sxm2-32");
  EXPECT_EQ(named("v100 sxm2"), "v100-sxm2-32");
  EXPECT_EQ(named("titan x pascal"), "titanxpascal");
  EXPECT_EQ(named("a100-pcie"), "a100-pcie-80");
}

TEST(BoardNames, NoPartOfAWord) {
  EXPECT_EQ(named("309"), "");
  EXPECT_EQ(named("90"), "");
  EXPECT_EQ(named("sxm"), "");
  EXPECT_EQ(named(""), "");
  EXPECT_EQ(named("NVIDIA GeForce"), "");
  EXPECT_EQ(named("3090 rtx"), "");
}

TEST(BoardNames, OneThatEndsWithThemGoesBeforeOneThatGoesOn) {
  EXPECT_EQ(named("3090"), "rtx3090");
  EXPECT_EQ(named("rtx 3090"), "rtx3090");
}

TEST(BoardNames, AFamilyIsNoBoard) {
  EXPECT_EQ(named("titan"), "titanx titanxpascal");
  const std::vector<BoardName> family{{"a", "Board X", 1}, {"b", "Board X 7", 1}};
  EXPECT_EQ(boards_named("x", family).size(), 2U);
}

TEST(BoardNames, MemoryIsThatOfTheBoardWhereverItStands) {
  EXPECT_EQ(named("3080"), "rtx3080 rtx3080-12");
  EXPECT_EQ(named("3080 10GB"), "rtx3080");
  EXPECT_EQ(named("3080 12 GB"), "rtx3080-12");
  EXPECT_EQ(named("12gb rtx 3080"), "rtx3080-12");
  EXPECT_EQ(named("v100-32gb"), "v100-sxm2-32");
  EXPECT_EQ(named("Tesla V100-SXM2-32GB"), "v100-sxm2-32");
  EXPECT_EQ(named("NVIDIA A100-PCIE-80GB"), "a100-pcie-80");
  EXPECT_EQ(named("v100 24gb"), "");
  EXPECT_EQ(named("3090 23 GB"), "");  // 24 GiB less 4 %
}

const HardwareDatabase& database() {
  static const HardwareDatabase data{FOREWARP_DATA_DIR};
  return data;
}

TEST(BoardNames, TheDatabaseTakesTheOneBoardAndSaysSo) {
  for (const auto& [asked, id] :
       {std::pair{"3090", "rtx3090"}, {"t 4", ""}, {"4070 super", "rtx4070s"}}) {
    const auto gpu = database().load(asked);
    if (*id == '\0') {
      EXPECT_TRUE(gpu) << asked;  // all of the name, but for blanks
      EXPECT_EQ(gpu->asked_as, "");
      continue;
    }
    ASSERT_TRUE(gpu) << asked << ": " << gpu.error().line();
    EXPECT_EQ(gpu->id, id);
    EXPECT_EQ(gpu->asked_as, asked);
  }
  for (const char* whole :
       {"rtx3090", "RTX 3090", "NVIDIA GeForce RTX 3090", "Tesla V100-SXM2-32GB"}) {
    const auto gpu = database().load(whole);
    ASSERT_TRUE(gpu) << whole;
    EXPECT_EQ(gpu->asked_as, "") << whole;
  }
}

TEST(BoardNames, SeveralAreListedWithWhatDiffers) {
  const auto gpu = database().load("a100");
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.error().line(),
            "GPU 'a100': 4 boards have this name; expected one of a100-pcie-40 (40 GB, 1555 GB/s, "
            "250 W), a100-pcie-80 (80 GB, 1935 GB/s, 300 W), a100-sxm-40 (40 GB, 1555 GB/s, 400 "
            "W), a100-sxm-80 (80 GB, 2039 GB/s, 400 W)");
  const auto many = database().load("rtx");
  ASSERT_FALSE(many);
  EXPECT_NE(many.error().line().find(" more"), std::string::npos) << many.error().line();
}

TEST(BoardNames, AFamilyIsAllOfThem) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(*database().family("a100"),
            (Names{"a100-pcie-40", "a100-pcie-80", "a100-sxm-40", "a100-sxm-80"}));
  // What one board has stays as it was asked, so that the one taken can be told.
  for (const char* one : {"3090", "a40", "A100-SXM-80", "l40@no-ecc", "./mine.toml"}) {
    EXPECT_EQ(*database().family(one), Names{one});
  }
  EXPECT_EQ(database().family("a100@x")->at(1), "a100-pcie-80@x");
  EXPECT_NE(database().family("rtx309").error().line().find("no GPU has this id"),
            std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
