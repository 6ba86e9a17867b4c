// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/files/launch_file.h"

#include <cstddef>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::string message(std::string_view toml) {
  const auto result = parse_launch(toml, "runs/l.toml");
  return result ? "no error" : result.error().line();
}

TEST(LaunchFile, ReadsTheKeysOfACase) {
  const auto result = parse_launch(R"(
id = "first"
kernel = "saxpy2"
grid = [1562500, 1, 1]
block = 256
dynamic_shared = 0
args = [400000000, 128, {f32 = 2.5}, {buffer = 1_600_000_000, content = "file:x.bin"}]
constants = {filter = {buffer = 900, content = "zeros", type = "u8"}}
clock_mhz = "boost"
timing = "graph"
repeat = "cold"
)",
                                   "runs/l.toml");
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_EQ(result->id, "first");
  EXPECT_EQ(result->kernel, "saxpy2");
  EXPECT_EQ(result->launch.grid, (Extent{1562500, 1, 1}));
  EXPECT_EQ(result->launch.block, (Extent{256, 1, 1}));
  EXPECT_TRUE(result->has_dynamic_shared);
  ASSERT_EQ(result->launch.arguments.size(), 4U);
  EXPECT_EQ(result->launch.arguments[1].value.integer, 128);
  EXPECT_EQ(result->launch.arguments[2].value.type, "f32");
  EXPECT_EQ(result->launch.arguments[3].value.content.path, "runs/x.bin");
  EXPECT_EQ(result->launch.constants[0].value.content.type, "u8");
  EXPECT_EQ(result->clock->kind, ClockChoice::Kind::boost);
  EXPECT_EQ(result->timing, Timing::graph);
  EXPECT_EQ(result->repeat, Repeat::cold);
}

TEST(LaunchFile, ArgumentsByName) {
  const auto result = parse_launch("[args]\nn = 4\na = 2.5\n1 = {i64 = 3}\n", "l.toml");
  ASSERT_TRUE(result) << result.error().line();
  ASSERT_EQ(result->launch.arguments.size(), 3U);
  std::size_t found = 0;
  for (const NamedArgument& argument : result->launch.arguments) {
    if (argument.name == "n") found += std::size_t{argument.value.integer == 4};
    if (argument.name == "a") found += std::size_t{argument.value.floating == 2.5};
    if (argument.index == 1U) found += std::size_t{argument.value.type == "i64"};
  }
  EXPECT_EQ(found, 3U);
}

TEST(LaunchFile, WhatIsLeftOutIsNotGiven) {
  const auto result = parse_launch("", "l.toml");
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->has_grid());
  EXPECT_FALSE(result->has_block());
  EXPECT_FALSE(result->has_dynamic_shared);
  EXPECT_FALSE(result->clock);
}

TEST(LaunchFile, ErrorsNameLineColumnAndKey) {
  EXPECT_EQ(message("kernel = \"k\"\ngird = 3\n"),
            "runs/l.toml:2:8: 'gird' is not a key here; expected id, kernel, grid, block, cluster, "
            "dynamic_shared, resident_blocks, compile_options, args, constants, copies, link, "
            "clock_mhz, timing, "
            "repeat, overhead_us; did you mean 'grid'?");
  EXPECT_EQ(message("\nblock = [32, -1]\n"),
            "runs/l.toml:2:14: 'block[1]' is the number -1; expected a whole number from 1 to "
            "4294967295");
  EXPECT_EQ(message("grid = 1979-05-27\n"),
            "runs/l.toml:1:8: 'grid' is the text 'a date or time'; expected a list of sizes [x, "
            "y, z]");
  EXPECT_EQ(message("args = [nan]\n"), "no error");
  EXPECT_EQ(message("clock_mhz = inf\n"),
            "runs/l.toml:1:13: 'clock_mhz' is the number inf; expected a clock of 1 to 100000 MHz");
}

TEST(LaunchFile, WhatBelongsToACaseIsRefused) {
  for (const char* key : {"input", "gpu", "measured_ms", "spread", "group"}) {
    const std::size_t column = std::string(key).size() + 4;
    EXPECT_EQ(
        message(std::string(key) + " = \"x\"\n"),
        "runs/l.toml:1:" + std::to_string(column) + ": '" + key +
            "' belongs to a case, not to a launch file; expected id, kernel, grid, block, cluster, "
            "dynamic_shared, resident_blocks, compile_options, args, constants, copies, link, "
            "clock_mhz, "
            "timing, repeat, overhead_us; give it on the "
            "command line, or as a line of --cases");
  }
}

TEST(LaunchFile, BrokenTomlHasItsPlace) {
  EXPECT_EQ(message("grid = \n"),
            "runs/l.toml:1:8: Error while parsing key-value pair: expected value, saw '\\n'; "
            "expected a launch file in TOML");
  EXPECT_EQ(message("grid = 1\ngrid = 2\n").substr(0, 16), "runs/l.toml:2:8:");
}

TEST(LaunchFile, AMissingFileIsNamed) {
  const auto result = read_launch_file("/nowhere/l.toml");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().line().find("/nowhere/l.toml"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
