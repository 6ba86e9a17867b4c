// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Expected<Gpu> changed(const char* id, const char* path, const char* value) {
  return HardwareDatabase{FOREWARP_DATA_DIR}.load(id, {{path, value}});
}

std::string refusal(const char* path, const char* value) {
  const auto gpu = changed("rtx3090", path, value);
  return gpu ? "loaded" : gpu.error().line();
}

TEST(Factor, MultipliesTheNumberThatIsThere) {
  const auto plain = HardwareDatabase{FOREWARP_DATA_DIR}.load("rtx3090");
  ASSERT_TRUE(plain);
  const auto twice = changed("rtx3090", "memory.theory_gbs", "x2");
  ASSERT_TRUE(twice) << twice.error().line();
  EXPECT_DOUBLE_EQ(twice->memory.theory_gbs, 2 * plain->memory.theory_gbs);
  EXPECT_EQ(twice->memory.mixed_share, plain->memory.mixed_share);
  const auto half = changed("rtx3090", "l2.bytes", "x0.5");
  ASSERT_TRUE(half);
  EXPECT_EQ(half->l2.bytes, plain->l2.bytes / 2);
  EXPECT_EQ(half->facts.at("l2.bytes").note, "set by the user: x0.5");
  EXPECT_EQ(half->facts.at("l2.bytes").unit, "bytes");
  EXPECT_EQ(half->facts.at("l2.bytes").alternatives.front().first, plain->l2.bytes);
}

TEST(Factor, BandwidthIsAnotherNameOfTheTheory) {
  const auto by_name = changed("rtx3090", "memory.bandwidth", "x2");
  const auto by_path = changed("rtx3090", "memory.theory_gbs", "x2");
  ASSERT_TRUE(by_name) << by_name.error().line();
  ASSERT_TRUE(by_path);
  EXPECT_EQ(by_name->memory.theory_gbs, by_path->memory.theory_gbs);
  const auto stated = changed("rtx3090", "memory.bandwidth", "1000");
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->memory.theory_gbs, 1000);
}

/// 3.5 GB at 196 GB/s and 0.5 GB at 28: both parts of a memory that is twice as fast.
TEST(Factor, PartsOfTheMemoryGoWithTheWhole) {
  const auto plain = HardwareDatabase{FOREWARP_DATA_DIR}.load("gtx970");
  const auto twice = changed("gtx970", "memory.bandwidth", "x2");
  ASSERT_TRUE(plain && twice);
  ASSERT_EQ(twice->memory.segments.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_DOUBLE_EQ(twice->memory.segments[i].second, 2 * plain->memory.segments[i].second);
    EXPECT_EQ(twice->memory.segments[i].first, plain->memory.segments[i].first);
  }
}

TEST(Factor, Refusals) {
  EXPECT_EQ(refusal("l2.bytes", "xtwo"),
            "--set hw.l2.bytes: 'xtwo' is no factor; expected x and a number above 0: x2");
  EXPECT_EQ(refusal("l2.bytes", "x-1"),
            "--set hw.l2.bytes: 'x-1' is no factor; expected x and a number above 0: x2");
  EXPECT_EQ(refusal("l2.bytes", "x0"),
            "--set hw.l2.bytes: 'x0' is no factor; expected x and a number above 0: x2");
  EXPECT_EQ(refusal("l2.bytes", "x"),
            "--set hw.l2.bytes: 'x' is no number; expected a number in bytes");
  EXPECT_EQ(refusal("series", "x2"),
            "--set hw.series: 'x2' is a factor, and 'geforce' is no number; expected a word");
  EXPECT_NE(refusal("l2.byte", "x2").find("no number is named 'l2.byte'"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
