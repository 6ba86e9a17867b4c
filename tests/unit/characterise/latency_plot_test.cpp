// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/latencies/latency_plot.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "base/text.h"
#include "characterise/latencies/device_latencies.h"
#include "sample_maker.h"

namespace forewarp::tests {
namespace {

LatencySeries simulated() {
  return {"simulated", {{100, 1, 0.5}, {101, 1, 0.25}, {163, 1, 0.25}}};
}

TEST(LatencySeries, MomentsAndQuantiles) {
  EXPECT_DOUBLE_EQ(simulated().mean(), 116);
  EXPECT_DOUBLE_EQ(simulated().deviation(),
                   std::sqrt(0.5 * 16 * 16 + 0.25 * 15 * 15 + 0.25 * 47 * 47));
  EXPECT_EQ(simulated().quantile(0.05), 100);
  EXPECT_EQ(simulated().quantile(0.75), 101);
  EXPECT_EQ(simulated().quantile(0.95), 163);
}

TEST(LatencyPlot, HasBothInOne) {
  const LatencySeries measured = series_of("board", Pmf::of_masses(100, {0.5, 0, 0.5}));
  ASSERT_EQ(measured.bins.size(), 2U);
  const std::string plot = plot_as_text({simulated(), measured});
  const auto lines = split(plot, '\n');
  // Ten lines from 50 % down, a column for each cycle from 100 on: both are high at 100, the
  // simulated alone half as high at 101, the device's alone high at 102.
  EXPECT_EQ(lines[0], "    50 % |@ o");
  EXPECT_EQ(lines[4], "         |@ o");
  EXPECT_EQ(lines[5], "         |@#o" + std::string(60, ' ') + "#");
  EXPECT_EQ(lines[9], lines[5]);
  EXPECT_NE(plot.find("# simulated"), std::string::npos);
  EXPECT_NE(plot.find("o board"), std::string::npos);
  EXPECT_NE(plot.find("@ both"), std::string::npos);
}

TEST(LatencyPlot, OneAloneHasNoSecondMark) {
  const std::string plot = plot_as_text({simulated()});
  EXPECT_EQ(plot.find('o', plot.find('+')), std::string::npos);
  EXPECT_EQ(plot.find('@'), std::string::npos);
}

TEST(LatencyPlot, AsAPicture) {
  LatencySeries named = series_of("a < b", Pmf::of_masses(100, {1.0}));
  const std::string picture = plot_as_svg({simulated(), named}, "k & l");
  EXPECT_TRUE(picture.starts_with("<svg "));
  EXPECT_NE(picture.find("k &amp; l"), std::string::npos);
  EXPECT_NE(picture.find("a &lt; b"), std::string::npos);
  std::size_t steps = 0;
  for (std::size_t at = picture.find("fill-opacity"); at != std::string::npos;
       at = picture.find("fill-opacity", at + 1)) {
    ++steps;
  }
  EXPECT_EQ(steps, 2U);
}

SampleTable two_configs() {
  SampleTable table;
  // X {300: 3/4, 310: 1/4}, Y {38: 1/2, 40: 1/2}.
  table.records = {record_of("chase", "blocks=1,threads=32", "window",
                             {{338, 96}, {340, 96}, {348, 32}, {350, 32}}),
                   record_of("chase", "blocks=1,threads=32", "empty", {{38, 32}, {40, 32}}),
                   record_of("chase", "blocks=1,threads=64", "window", {{338, 64}}),
                   record_of("chase", "blocks=1,threads=64", "empty", {{38, 64}})};
  return table;
}

MeasuredDevice device() {
  MeasuredDevice made;
  made.name = "board";
  made.numbers["limits.warp_lanes"] = 32;
  return made;
}

TEST(DeviceLatencies, AreTheWindowsWithoutTheClock) {
  const auto found = device_latencies(two_configs(), device(), "chase", {{"threads", "32"}});
  ASSERT_TRUE(found) << found.error().line();
  EXPECT_EQ(found->config, "blocks=1,threads=32");
  EXPECT_NEAR(found->accesses.pmf.mass(300), 0.75, 1e-9);
  EXPECT_NEAR(found->accesses.pmf.mass(310), 0.25, 1e-9);
}

TEST(DeviceLatencies, AskForOneConfiguration) {
  const auto found = device_latencies(two_configs(), device(), "chase", {});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().line(),
            "chase: 2 configurations: blocks=1,threads=32; blocks=1,threads=64; expected one; "
            "name it: --where NAME=VALUE");
  const auto none = device_latencies(two_configs(), device(), "chas", {});
  ASSERT_FALSE(none);
}

}  // namespace
}  // namespace forewarp::tests
