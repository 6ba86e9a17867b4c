// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/outcome/timeline_files.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

Outcome two_lanes() {
  Outcome outcome;
  outcome.overall_s = 2;
  outcome.timeline.add_lane("A:0");
  outcome.timeline.add_lane("A<0> stream");
  outcome.timeline.add({0, Activity::compute, "", 0, 1, {}, false});
  outcome.timeline.add({1, Activity::kernel, "k<int>", 1, 2, {}, false});
  return outcome;
}

TEST(TimelineFilesTest, APictureHasARectangleForEachSegment) {
  const std::string svg = gantt_svg(two_lanes());
  EXPECT_EQ(count(svg, "<title>"), 2U);
  EXPECT_NE(svg.find("k&lt;int&gt;: 1000.000000 to 2000.000000 ms"), std::string::npos);
  EXPECT_NE(svg.find("x=\"660.00\""), std::string::npos);  // 160 + 1000 * 1 s / 2 s
  EXPECT_EQ(svg.find("A<0>"), std::string::npos);
}

TEST(TimelineFilesTest, WhatStandsInOnePixelIsOne) {
  Outcome outcome = two_lanes();
  for (int i = 0; i < 1000; ++i) {
    outcome.timeline.add(
        {0, Activity::message, "", 1.5 + i * 1e-7, 1.5 + (i + 1) * 1e-7, {}, false});
  }
  EXPECT_EQ(count(gantt_svg(outcome), "<title>"), 3U);
}

TEST(TimelineFilesTest, PajeBeginsAndEndsStates) {
  const std::string paje = paje_trace(two_lanes());
  EXPECT_NE(paje.find("\n4 1.000000000 S l1 \"k<int>\"\n"), std::string::npos);
  EXPECT_EQ(count(paje, "\n5 "), 2U);
  EXPECT_EQ(count(paje, "\n3 2.000000000 L l"), 2U);
}

}  // namespace
}  // namespace forewarp::tests
