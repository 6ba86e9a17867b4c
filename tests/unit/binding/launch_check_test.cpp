// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/launch_check.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "sm_limits.h"

namespace forewarp::tests {
namespace {

using test::limits_of;

std::string refusal(const char* capability, const BlockNeeds& needs) {
  const auto checked = check_block(limits_of(capability), needs);
  return checked ? "" : checked.error().line();
}

std::string refusal(const char* capability, const Extent& grid, const Extent& block) {
  const BlockNeeds needs{.threads = static_cast<std::uint32_t>(volume(block)), .registers = 16};
  const auto checked = check_launch(limits_of(capability), grid, block, needs);
  return checked ? "" : checked.error().line();
}

TEST(LaunchCheck, AcceptsWhatFits) {
  EXPECT_EQ(refusal("7.0", {1562500, 1, 1}, {256, 1, 1}), "");
  EXPECT_EQ(refusal("7.0", {2147483647, 65535, 65535}, {1024, 1, 1}), "");
  EXPECT_EQ(refusal("7.0", {1, 1, 1}, {1, 1, 64}), "");
}

TEST(LaunchCheck, RefusesExtents) {
  EXPECT_EQ(refusal("7.0", {0, 1, 1}, {256, 1, 1}),
            "launch: invalid configuration argument: grid x = 0; expected 1 to 2147483647");
  EXPECT_EQ(refusal("7.0", {1, 65536, 1}, {256, 1, 1}),
            "launch: invalid configuration argument: grid y = 65536; expected 1 to 65535");
  EXPECT_EQ(refusal("2.0", {65536, 1, 1}, {256, 1, 1}),
            "launch: invalid configuration argument: grid x = 65536; expected 1 to 65535");
  EXPECT_EQ(refusal("1.3", {1, 1, 2}, {256, 1, 1}),
            "launch: invalid configuration argument: grid z = 2; expected 1 to 1");
  EXPECT_EQ(refusal("7.0", {1, 1, 1}, {1, 1, 65}),
            "launch: invalid configuration argument: block z = 65; expected 1 to 64");
}

std::string refused_cluster(const char* capability, const Extent& grid, const Extent& cluster) {
  const auto checked = check_cluster(limits_of(capability), grid, cluster);
  return checked ? "" : checked.error().line();
}

TEST(LaunchCheck, RefusesClusters) {
  EXPECT_EQ(refused_cluster("9.0", {16, 2, 1}, {8, 2, 1}), "");
  EXPECT_EQ(refused_cluster("8.0", {16, 2, 1}, {0, 1, 1}), "") << "none";
  EXPECT_EQ(refused_cluster("8.0", {16, 2, 1}, {1, 1, 1}), "") << "of one";
  EXPECT_EQ(refused_cluster("8.9", {16, 2, 1}, {2, 1, 1}),
            "--cluster: a cluster of 2x1x1 blocks on a board without clusters; expected one of "
            "compute capability 9.0 or later");
  EXPECT_EQ(refused_cluster("9.0", {34, 1, 1}, {17, 1, 1}),
            "--cluster: a cluster of 17x1x1 blocks does not fit a GPC; expected 1 to 16 blocks");
  EXPECT_EQ(refused_cluster("9.0", {16, 3, 1}, {8, 2, 1}),
            "--cluster: a cluster of 8x2x1 blocks does not divide the grid; expected a grid of "
            "whole clusters along each axis");
}

// 18 / 8 = 2 clusters of 8 in a GPC of 18 SMs, 1 in one of 14: 16 + 16 + 8 of 50.
TEST(LaunchCheck, ClustersFitGpcs) {
  SmLimits limits;
  limits.gpc_sms = {18, 18, 14};
  EXPECT_EQ(sms_for_clusters(limits, 50, 1), 50U);
  EXPECT_EQ(sms_for_clusters(limits, 50, 2), 50U);
  EXPECT_EQ(sms_for_clusters(limits, 50, 4), 16U + 16 + 12);
  EXPECT_EQ(sms_for_clusters(limits, 50, 8), 16U + 16 + 8);
  EXPECT_EQ(sms_for_clusters(limits, 50, 16), 16U + 16);
  EXPECT_EQ(sms_for_clusters(limits, 48, 8), 48U) << "not the SMs that the GPCs are of";
  limits.gpc_sms.clear();
  EXPECT_EQ(sms_for_clusters(limits, 50, 8), 50U) << "not known";
}

TEST(LaunchCheck, RefusesThreads) {
  EXPECT_EQ(refusal("7.0", {1, 1, 1}, {1024, 2, 1}),
            "launch: invalid configuration argument: 2048 threads per block; expected 1 to 1024");
  EXPECT_EQ(refusal("1.3", {1, 1, 1}, {512, 2, 1}),
            "launch: invalid configuration argument: 1024 threads per block; expected 1 to 512");
}

TEST(LaunchCheck, RefusesWhatTheKernelsLaunchBoundsExclude) {
  BlockNeeds needs{.threads = 128, .registers = 16, .most_threads = 128};
  EXPECT_EQ(refusal("7.0", needs), "");
  needs.threads = 129;
  EXPECT_EQ(refusal("7.0", needs),
            "launch: beyond the kernel's launch bounds: 129 threads per block; expected 1 to 128; "
            "compile with __launch_bounds__(129)");
}

TEST(LaunchCheck, RefusesAnotherBlockThanTheRequiredOne) {
  const BlockNeeds needs{.threads = 256, .registers = 16, .required_block = {32, 8, 1}};
  const auto limits = limits_of("7.0");
  EXPECT_TRUE(check_launch(limits, {1, 1, 1}, {32, 8, 1}, needs));
  const auto checked = check_launch(limits, {1, 1, 1}, {256, 1, 1}, needs);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().line(),
            "launch: not the kernel's required block: blocks of 256x1x1 threads; expected 32x8x1");
}

TEST(LaunchCheck, RefusesRegisters) {
  EXPECT_EQ(refusal("3.0", BlockNeeds{.threads = 32, .registers = 64}),
            "launch: too many resources requested for launch: 64 registers per thread; "
            "expected at most 63");
  // 27 warps are charged as 28, 73 registers as 80: 28 * 32 * 80 = 71680.
  EXPECT_EQ(refusal("8.6", BlockNeeds{.threads = 864, .registers = 73}),
            "launch: too many resources requested for launch: 73 registers for each of 864 "
            "threads are charged as 71680 registers per block; expected at most 65536; compile "
            "with __launch_bounds__(864), which leaves 72 per thread");
  EXPECT_EQ(refusal("8.6", BlockNeeds{.threads = 864, .registers = 72}), "");
}

TEST(LaunchCheck, RefusesSharedMemory) {
  BlockNeeds needs{
      .threads = 256, .registers = 32, .static_shared = 1024, .dynamic_shared = 165889};
  EXPECT_EQ(refusal("8.0", needs),
            "launch: invalid argument: 166913 bytes of shared memory per block (1024 static, "
            "165889 dynamic); expected at most 166912");
  needs.dynamic_shared = 165888;
  EXPECT_EQ(refusal("8.0", needs), "");
  needs.shared_opt_in = false;
  EXPECT_EQ(refusal("8.0", needs),
            "launch: invalid argument: 166912 bytes of shared memory per block (1024 static, "
            "165888 dynamic); expected at most 49152; raise "
            "cudaFuncAttributeMaxDynamicSharedMemorySize");
}

TEST(LaunchCheck, RefusesBarriers) {
  EXPECT_EQ(refusal("9.0", BlockNeeds{.threads = 32, .registers = 32, .barriers = 17}),
            "launch: too many resources requested for launch: 17 named barriers per block; "
            "expected at most 16");
}

// ptxas 11.8 and 13.0 give a kernel short of registers these counts for __launch_bounds__(T).
TEST(LaunchCheck, RegistersThatStillLaunchAreThoseThatTheCompilerGives) {
  const auto at = [](const char* capability, std::uint32_t threads) {
    return launchable_registers(limits_of(capability), threads);
  };
  EXPECT_EQ(at("7.0", 256), 255U);
  EXPECT_EQ(at("7.0", 288), 168U);
  EXPECT_EQ(at("7.0", 416), 128U);
  EXPECT_EQ(at("7.5", 544), 96U);
  EXPECT_EQ(at("8.6", 672), 80U);
  EXPECT_EQ(at("3.7", 800), 72U);
  EXPECT_EQ(at("9.0", 1024), 64U);
  EXPECT_EQ(at("5.3", 544), 48U);
  EXPECT_EQ(at("6.2", 1024), 32U);
}

// A block launches exactly when the occupancy is not zero.
TEST(LaunchCheck, AgreesWithTheOccupancy) {
  std::mt19937 random(20);  // NOLINT: the same points every time
  const auto below = [&random](std::uint32_t end) {
    return static_cast<std::uint32_t>(random() % end);
  };
  for (const char* capability : {"1.1", "2.0", "3.0", "3.7", "5.3", "6.0", "7.5", "8.9", "12.0"}) {
    const auto limits = limits_of(capability);
    for (int i = 0; i < 4000; ++i) {
      const BlockNeeds needs{.threads = below(1100),
                             .registers = below(260),
                             .static_shared = below(2) * below(60000),
                             .dynamic_shared = below(2) * below(120000),
                             .barriers = below(17)};
      EXPECT_EQ(check_block(limits, needs).has_value(), occupancy(limits, needs).blocks > 0)
          << capability << " " << needs.threads << " " << needs.registers << " "
          << needs.static_shared << " " << needs.dynamic_shared;
    }
  }
}

}  // namespace
}  // namespace forewarp::tests
