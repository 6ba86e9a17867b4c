// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

/// The vendor's table of limits per compute capability; K is 1024.
struct Row {
  const char* cc;
  std::uint32_t threads_per_block, warps, blocks, registers_k, block_registers_k, thread_registers;
  std::uint32_t unit;
  bool unit_per_block;
  std::uint32_t partitions, shared_k, block_shared_k, optin_shared_k, reserved, shared_unit;
};

constexpr Row table[] = {
    {"1.0", 512, 24, 8, 8, 8, 124, 256, true, 2, 16, 16, 16, 0, 512},
    {"1.1", 512, 24, 8, 8, 8, 124, 256, true, 2, 16, 16, 16, 0, 512},
    {"1.2", 512, 32, 8, 16, 16, 124, 512, true, 2, 16, 16, 16, 0, 512},
    {"1.3", 512, 32, 8, 16, 16, 124, 512, true, 2, 16, 16, 16, 0, 512},
    {"2.0", 1024, 48, 8, 32, 32, 63, 64, false, 2, 48, 48, 48, 0, 128},
    {"2.1", 1024, 48, 8, 32, 32, 63, 64, false, 2, 48, 48, 48, 0, 128},
    {"3.0", 1024, 64, 16, 64, 64, 63, 256, false, 4, 48, 48, 48, 0, 256},
    {"3.2", 1024, 64, 16, 64, 32, 255, 256, false, 4, 48, 48, 48, 0, 256},
    {"3.5", 1024, 64, 16, 64, 64, 255, 256, false, 4, 48, 48, 48, 0, 256},
    {"3.7", 1024, 64, 16, 128, 64, 255, 256, false, 4, 112, 48, 48, 0, 256},
    {"5.0", 1024, 64, 32, 64, 64, 255, 256, false, 4, 64, 48, 48, 0, 256},
    {"5.2", 1024, 64, 32, 64, 64, 255, 256, false, 4, 96, 48, 48, 0, 256},
    {"5.3", 1024, 64, 32, 64, 32, 255, 256, false, 4, 64, 48, 48, 0, 256},
    {"6.0", 1024, 64, 32, 64, 64, 255, 256, false, 2, 64, 48, 48, 0, 256},
    {"6.1", 1024, 64, 32, 64, 64, 255, 256, false, 4, 96, 48, 48, 0, 256},
    {"6.2", 1024, 64, 32, 64, 32, 255, 256, false, 4, 64, 48, 48, 0, 256},
    {"7.0", 1024, 64, 32, 64, 64, 255, 256, false, 4, 96, 48, 96, 0, 256},
    {"7.2", 1024, 64, 32, 64, 64, 255, 256, false, 4, 96, 48, 96, 0, 256},
    {"7.5", 1024, 32, 16, 64, 64, 255, 256, false, 4, 64, 48, 64, 0, 256},
    {"8.0", 1024, 64, 32, 64, 64, 255, 256, false, 4, 164, 48, 163, 1024, 128},
    {"8.6", 1024, 48, 16, 64, 64, 255, 256, false, 4, 100, 48, 99, 1024, 128},
    {"8.7", 1024, 48, 16, 64, 64, 255, 256, false, 4, 164, 48, 163, 1024, 128},
    {"8.8", 1024, 48, 16, 64, 64, 255, 256, false, 4, 100, 48, 99, 1024, 128},
    {"8.9", 1024, 48, 24, 64, 64, 255, 256, false, 4, 100, 48, 99, 1024, 128},
    {"9.0", 1024, 64, 32, 64, 64, 255, 256, false, 4, 228, 48, 227, 1024, 128},
    {"10.0", 1024, 64, 32, 64, 64, 255, 256, false, 4, 228, 48, 227, 1024, 128},
    {"10.1", 1024, 48, 24, 64, 64, 255, 256, false, 4, 228, 48, 227, 1024, 128},
    {"10.3", 1024, 64, 32, 64, 64, 255, 256, false, 4, 228, 48, 227, 1024, 128},
    {"11.0", 1024, 48, 24, 64, 64, 255, 256, false, 4, 228, 48, 227, 1024, 128},
    {"12.0", 1024, 48, 24, 64, 64, 255, 256, false, 4, 100, 48, 99, 1024, 128},
    {"12.1", 1024, 48, 24, 64, 64, 255, 256, false, 4, 100, 48, 99, 1024, 128},
};

SmLimits limits_of(const char* cc) {
  const HardwareDatabase database{FOREWARP_DATA_DIR};
  auto limits = database.limits(parse_capability(cc).value());
  EXPECT_TRUE(limits) << (limits ? "" : limits.error().line());
  return limits ? std::move(limits).value() : SmLimits{};
}

TEST(Limits, AreThoseOfTheVendor) {
  for (const Row& row : table) {
    const SmLimits limits = limits_of(row.cc);
    EXPECT_EQ(limits.warp_lanes, 32U) << row.cc;
    EXPECT_EQ(limits.threads_per_block, row.threads_per_block) << row.cc;
    EXPECT_EQ(limits.warps_per_sm, row.warps) << row.cc;
    EXPECT_EQ(limits.blocks_per_sm, row.blocks) << row.cc;
    EXPECT_EQ(limits.registers_per_sm, row.registers_k * 1024) << row.cc;
    EXPECT_EQ(limits.registers_per_block, row.block_registers_k * 1024) << row.cc;
    EXPECT_EQ(limits.registers_per_thread, row.thread_registers) << row.cc;
    EXPECT_EQ(limits.register_unit, row.unit) << row.cc;
    EXPECT_EQ(limits.register_unit_per_block, row.unit_per_block) << row.cc;
    EXPECT_EQ(limits.partitions, row.partitions) << row.cc;
    EXPECT_EQ(limits.warp_unit, row.unit_per_block ? 2U : 1U) << row.cc;
    EXPECT_EQ(limits.shared_per_sm, row.shared_k * 1024) << row.cc;
    EXPECT_EQ(limits.shared_per_block, row.block_shared_k * 1024) << row.cc;
    EXPECT_EQ(limits.shared_per_block_optin, row.optin_shared_k * 1024) << row.cc;
    EXPECT_EQ(limits.shared_reserved, row.reserved) << row.cc;
    EXPECT_EQ(limits.shared_unit, row.shared_unit) << row.cc;
    EXPECT_EQ(limits.barriers_per_block, 16U) << row.cc;
    ASSERT_FALSE(limits.carveouts.empty()) << row.cc;
    EXPECT_EQ(limits.carveouts.back(), limits.shared_per_sm) << row.cc;
  }
}

TEST(Limits, EveryCapabilityIsInTheTable) {
  const auto list = HardwareDatabase{FOREWARP_DATA_DIR}.capabilities();
  ASSERT_EQ(list.size(), std::size(table));
  EXPECT_EQ(list.front(), (Capability{1, 0}));
  EXPECT_EQ(list.back(), (Capability{12, 1})) << "12.1 comes after 9.0";
}

TEST(Limits, LaunchCheckOf60AssumesFourPartitions) {
  EXPECT_EQ(limits_of("6.0").launch_check_partitions, 4U);
  EXPECT_EQ(limits_of("6.1").launch_check_partitions, 0U);
}

TEST(Limits, BarriersArePooledFrom90On) {
  EXPECT_EQ(limits_of("8.9").barrier_pool, 0U);
  EXPECT_EQ(limits_of("9.0").barrier_pool, 64U);
  EXPECT_EQ(limits_of("11.0").barrier_pool, 24U);
  EXPECT_EQ(limits_of("12.0").barrier_pool, 24U);
}

TEST(Limits, ExtentsOfBlockAndGrid) {
  using Extent = std::array<std::uint32_t, 3>;
  EXPECT_EQ(limits_of("1.3").max_block, (Extent{512, 512, 64}));
  EXPECT_EQ(limits_of("1.3").max_grid, (Extent{65535, 65535, 1}));
  EXPECT_EQ(limits_of("2.0").max_grid, (Extent{65535, 65535, 65535}));
  EXPECT_EQ(limits_of("3.0").max_grid, (Extent{2147483647, 65535, 65535}));
  EXPECT_EQ(limits_of("3.0").max_block, (Extent{1024, 1024, 64}));
}

TEST(Limits, CarveOuts) {
  const std::vector<std::uint32_t> ampere = {0, 8192, 16384, 32768, 65536, 102400, 135168, 167936};
  EXPECT_EQ(limits_of("8.0").carveouts, ampere);
  const std::vector<std::uint32_t> turing = {32768, 65536};
  EXPECT_EQ(limits_of("7.5").carveouts, turing);
}

TEST(Limits, UnknownCapabilityNamesTheKnownOnes) {
  const auto limits = HardwareDatabase{FOREWARP_DATA_DIR}.limits({4, 2});
  ASSERT_FALSE(limits);
  EXPECT_NE(limits.error().line().find("compute capability 4.2"), std::string::npos);
  EXPECT_NE(limits.error().line().find("12.1"), std::string::npos);
}

TEST(Limits, CapabilityAsText) {
  EXPECT_EQ(parse_capability("7.5").value(), (Capability{7, 5}));
  EXPECT_EQ(parse_capability("12.0").value().text(), "12.0");
  EXPECT_EQ(parse_capability("12.0").value().sm(), 120);
  for (const char* wrong : {"", "7", "7.", ".5", "75", "7.5.0", "a.b", "0.1", "7.10", "-1.0"}) {
    EXPECT_FALSE(parse_capability(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace forewarp::tests
