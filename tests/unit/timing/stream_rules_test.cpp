// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "timing/machine/stream.h"

namespace forewarp::tests {
namespace {

PathStep run(std::uint32_t first, std::uint32_t last, bool jumps = false) {
  PathStep step;
  step.first = first;
  step.last = last;
  step.jumps = jumps;
  return step;
}

PathStep loop(std::uint32_t index, std::vector<PathStep> body, bool leaves_at_end = false) {
  PathStep step;
  step.loop = index;
  step.body = std::move(body);
  step.leaves_at_end = leaves_at_end;
  return step;
}

WarpPath path(std::vector<PathStep> steps, std::vector<double> trips) {
  WarpPath out;
  out.steps = std::move(steps);
  for (const double trip : trips) {
    out.loops.emplace_back();
    out.loops.back().trips = trip;
  }
  return out;
}

/// The instructions in order; a "j" behind those that jump.
std::string order(const Stream& stream) {
  std::string text;
  for (Cursor at(stream); !at.at_end(); at.advance()) {
    text += std::to_string(at.instruction()) + (at.jumps() ? "j " : " ");
  }
  return text;
}

std::string order(const WarpPath& path) {
  return order(Stream(path, 1, 1));
}

TEST(StreamRules, RunsFollowEachOther) {
  EXPECT_EQ(order(path({run(0, 2), run(5, 6), run(9, 9), run(7, 8)}, {})), "0 1 5 7 ");
  EXPECT_EQ(order(path({}, {})), "");
}

TEST(StreamRules, LoopIsLeftByFallingThrough) {
  const WarpPath leaves = path({loop(0, {run(1, 3, true)}, true), run(3, 4)}, {3});
  EXPECT_EQ(order(leaves), "1 2j 1 2j 1 2 3 ");
  const WarpPath jumps = path({loop(0, {run(1, 3, true)}), run(8, 9)}, {2});
  EXPECT_EQ(order(jumps), "1 2j 1 2j 8 ");
}

TEST(StreamRules, OnlyTheLastRunOfTheBodyFalls) {
  const WarpPath twice = path({loop(0, {run(1, 2, true), run(4, 5, true)}, true)}, {2});
  EXPECT_EQ(order(twice), "1j 4j 1j 4 ");
}

TEST(StreamRules, NestedLoops) {
  const WarpPath nested =
      path({loop(0, {run(0, 1), loop(1, {run(1, 2, true)}, true), run(2, 3, true)}, true)}, {2, 3});
  EXPECT_EQ(order(nested), "0 1j 1j 1 2j 0 1j 1j 1 2 ");
  EXPECT_EQ(Stream(nested, 1, 1).instructions, 10) << "2 (1 + 3 + 1)";
}

TEST(StreamRules, LoopThatEndsInALoopDoesNotFall) {
  // The inner loop's branch falls at its own end, whatever pass the outer loop is in.
  const WarpPath nested =
      path({loop(0, {run(0, 1), loop(1, {run(1, 2, true)}, true)}, true)}, {2, 2});
  EXPECT_EQ(order(nested), "0 1j 1 0 1j 1 ");
}

TEST(StreamRules, LoopsThatAreNotEntered) {
  EXPECT_EQ(order(path({run(0, 1), loop(0, {run(1, 2)}), run(2, 3)}, {0})), "0 2 ");
  EXPECT_EQ(order(path({loop(0, {run(3, 3)}), run(2, 3)}, {7})), "2 ");
}

TEST(StreamRules, ShareOfTheOutermostPasses) {
  const WarpPath nested = path({loop(0, {loop(1, {run(0, 1)})})}, {10, 4});
  const auto passes = [&](double share, double least) {
    return Stream(nested, share, least).instructions;
  };
  EXPECT_EQ(passes(1, 1), 40);
  EXPECT_EQ(passes(0.35, 1), 16) << "3.5 is rounded to 4; the inner loop stays";
  EXPECT_EQ(passes(0.35, 5), 20) << "at least 5";
  EXPECT_EQ(passes(0.35, 12), 40) << "never more than there are";
}

TEST(StreamRules, LoopsTooDeep) {
  const auto nested = [](std::uint32_t depth) {
    PathStep inside = run(0, 1);
    for (std::uint32_t d = 0; d < depth; ++d) inside = loop(d, {inside});
    std::vector<double> trips(depth, 1);
    trips[0] = 2;  // the innermost
    return Stream(path({inside}, trips), 1, 1);
  };
  const auto most = static_cast<std::uint32_t>(Stream::deepest);
  EXPECT_FALSE(nested(most).too_deep);
  EXPECT_EQ(order(nested(most)), "0 0 ");
  EXPECT_TRUE(nested(most + 1).too_deep);
  EXPECT_EQ(order(nested(most + 1)), "0 ") << "gone through once";
}

}  // namespace
}  // namespace forewarp::tests
