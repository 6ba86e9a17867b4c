// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/system_reader.h"

#include <string>

#include <gtest/gtest.h>

#include "system/description/expansion.h"

namespace forewarp::tests {
namespace {

constexpr const char* pair = R"(
[[component]]
name = "host"
kind = "cpu"
hardware = "mine.toml"
[[component]]
name = "gpu"
kind = "gpu"
count = 2
[[link]]
ends = ["host", "gpu"]
gbs = 10
latency_us = 5
gbs_back = 8
)";

TEST(SystemReader, AHostIsAnIdOrAFileBesideTheSystems) {
  const auto text = parse_system(pair, "folder/system.toml");
  ASSERT_TRUE(text) << text.error().line();
  const auto system = expanded(*text);
  ASSERT_TRUE(system) << system.error().line();
  ASSERT_EQ(system->components.size(), 3U);
  EXPECT_EQ(system->components[0].hardware, "folder/mine.toml");
  ASSERT_EQ(system->connections.size(), 2U);  // one for each GPU
  EXPECT_DOUBLE_EQ(system->connections[1].there.bytes_per_s, 1e10);
  EXPECT_DOUBLE_EQ(system->connections[1].back.bytes_per_s, 8e9);
  EXPECT_DOUBLE_EQ(system->connections[1].back.latency_s, 5e-6);
}

TEST(SystemReader, RefusesALinkThatSaysNothing) {
  std::string text(pair);
  text.erase(text.find("gbs = 10"));
  const auto read = parse_system(text, "system.toml");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().line().find("says what the link is not"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
