// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/path_graph.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

using Edge = PathGraph::Edge;
using Kind = PathGraph::EdgeKind;

/// R1 from shared memory (24 cycles), a sum, and a loop of three passes that adds it up.
class LoopedSum : public ::testing::Test {
 protected:
  LoopedSum() {
    for (std::uint16_t number = 0; number < 4; ++number) {
      RegisterRange slot;
      slot.first = number;
      latency.timing.slots.push_back(slot);
    }
    latency.timing.rules = &rules;
    add({0}, {1}, 24);
    add({1}, {2}, 4);
    add({3, 2}, {3}, 6);
    add({}, {}, 0);
    add({}, {}, 0);
    latency.timing.instructions.back().is_exit = true;
    path.steps.push_back(run(0, 2));
    PathStep loop;
    loop.loop = 0;
    loop.leaves_at_end = true;
    loop.body.push_back(run(2, 4, true));
    path.steps.push_back(loop);
    path.steps.push_back(run(4, 5));
    path.loops.push_back({0x20, 0x40, 3, "n", 1, false});
    latency.path = latency_path(latency.timing, path);
    graph = path_graph(kernel, latency, path.loops);
  }

  void add(std::vector<std::uint16_t> reads, std::vector<std::uint16_t> writes, double cycles) {
    BoundInstruction instruction;
    instruction.reads = std::move(reads);
    instruction.writes = std::move(writes);
    instruction.latency = cycles;
    instruction.spacing = 2;
    instruction.spacing_taken = 9;
    latency.timing.instructions.push_back(instruction);
  }
  static PathStep run(std::uint32_t first, std::uint32_t last, bool jumps = false) {
    PathStep step;
    step.first = first;
    step.last = last;
    step.jumps = jumps;
    return step;
  }
  [[nodiscard]] const Edge* edge(std::uint32_t from, std::uint32_t to, Kind kind) const {
    const auto found = std::find_if(graph.edges.begin(), graph.edges.end(), [&](const Edge& e) {
      return e.from == from && e.to == to && e.kind == kind;
    });
    return found == graph.edges.end() ? nullptr : &*found;
  }

  Kernel kernel = testing::kernel_from(
      70, {"LDS R1, [R0]", "FADD R2, R1, R1", "FADD R3, R3, R2", "@P0 BRA 0x20", "EXIT"});
  LatencyRules rules;
  BoundLatency latency;
  WarpPath path;
  PathGraph graph;
};

TEST_F(LoopedSum, EveryInstructionStandsOnce) {
  ASSERT_EQ(graph.nodes.size(), 5U);
  EXPECT_EQ(graph.nodes[2].address, 0x20U);
  EXPECT_EQ(graph.nodes[2].text, "FADD R3, R3, R2");
  EXPECT_DOUBLE_EQ(graph.nodes[1].cycle, 24);
  EXPECT_DOUBLE_EQ(graph.nodes[2].cycle, 24 + 4);
}

TEST_F(LoopedSum, ValuesCarryTheLatencyOfTheirProducer) {
  ASSERT_NE(edge(0, 1, Kind::value), nullptr);
  EXPECT_EQ(*edge(0, 1, Kind::value), (Edge{0, 1, Kind::value, "R1", 24, false, true}));
  ASSERT_NE(edge(1, 2, Kind::value), nullptr);
  EXPECT_DOUBLE_EQ(edge(1, 2, Kind::value)->cycles, 4);
  EXPECT_EQ(edge(0, 2, Kind::value), nullptr);
}

TEST_F(LoopedSum, APassHandsItsSumToTheNext) {
  ASSERT_NE(edge(2, 2, Kind::value), nullptr);
  EXPECT_TRUE(edge(2, 2, Kind::value)->next_pass);
  ASSERT_NE(edge(3, 2, Kind::branch), nullptr);
  EXPECT_TRUE(edge(3, 2, Kind::branch)->next_pass);
  EXPECT_DOUBLE_EQ(edge(3, 2, Kind::branch)->cycles, 9);
  ASSERT_EQ(graph.loops.size(), 1U);
  EXPECT_EQ(graph.loops[0].first, 2U);
  EXPECT_EQ(graph.loops[0].last, 3U);
  EXPECT_EQ(graph.loops[0].trips, "n = 3");
}

// Of a loop, the longest path has one pass.
TEST_F(LoopedSum, TheLongestPathIsMarked) {
  EXPECT_TRUE(edge(1, 2, Kind::value)->critical);
  EXPECT_TRUE(edge(2, 3, Kind::issue)->critical);
  EXPECT_FALSE(edge(0, 1, Kind::issue)->critical);
  EXPECT_FALSE(edge(2, 2, Kind::value)->critical);
  EXPECT_TRUE(graph.nodes[0].critical);
  // The last EXIT takes no time here: the end follows the branch, two further passes later.
  EXPECT_EQ(edge(4, 5, Kind::end), nullptr);
  ASSERT_NE(edge(3, 5, Kind::end), nullptr);
  EXPECT_EQ(edge(3, 5, Kind::end)->label, "after 3 passes");
  EXPECT_DOUBLE_EQ(graph.nodes[3].cycle + edge(3, 5, Kind::end)->cycles, graph.cycles);
  EXPECT_DOUBLE_EQ(graph.cycles, latency.path.cycles);
}

// What follows a loop stands at the time after all its passes, of which the graph has one.
TEST_F(LoopedSum, AfterALoopItsPassesAreInTheEdge) {
  ASSERT_NE(edge(3, 4, Kind::again), nullptr);
  EXPECT_EQ(edge(3, 4, Kind::again)->label, "after 3 passes");
  EXPECT_DOUBLE_EQ(graph.nodes[3].cycle + edge(3, 4, Kind::again)->cycles, graph.nodes[4].cycle);
}

TEST_F(LoopedSum, IsWrittenAsDotAndAsAPicture) {
  const std::string dot = path_dot(graph, "k on \"x\"");
  EXPECT_NE(dot.find("digraph \"k on \\\"x\\\"\""), dot.npos);
  EXPECT_NE(dot.find("n0 -> n1 [label=\"R1 24\", class=value, color=red, penwidth=2]"), dot.npos);
  EXPECT_NE(dot.find("loop, n = 3 passes\"; n2; n3;"), dot.npos);
  EXPECT_NE(dot.find("style=dashed"), dot.npos);
  const std::string svg = path_svg(graph, "a < b");
  EXPECT_NE(svg.find("a &lt; b"), svg.npos);
  EXPECT_NE(svg.find("arc critical"), svg.npos);
  EXPECT_NE(svg.find("n = 3 passes"), svg.npos);
}

/// A warp's straight path of instructions that follow each other after two cycles.
struct StraightPath {
  explicit StraightPath(std::uint32_t count) {
    timing.rules = &rules;
    timing.slots.resize(1);
    for (std::uint32_t i = 0; i < count; ++i) {
      timing.instructions.emplace_back().spacing = 2;
      timing.instructions.back().latency = 4;
    }
  }
  PathGraph graph() {
    const std::vector<std::string> lines(timing.instructions.size(), "NOP");
    const Kernel kernel = testing::kernel_from(70, lines);
    WarpPath path;
    path.steps.emplace_back().last = static_cast<std::uint32_t>(lines.size());
    BoundLatency latency;
    latency.timing = timing;
    latency.path = latency_path(latency.timing, path);
    return path_graph(kernel, latency, {});
  }
  LatencyRules rules;
  BoundTiming timing;
};

/// The one edge on the longest path that leads to the node.
Edge held(const PathGraph& graph, std::uint32_t node) {
  const auto found =
      std::ranges::find_if(graph.edges, [&](const Edge& e) { return e.critical && e.to == node; });
  return found == graph.edges.end() ? Edge{} : *found;
}

TEST(PathGraph, StoresFollowEachOtherAtTheirOwnDistance) {
  StraightPath path(3);
  path.timing.store_spacing = 11;
  path.timing.instructions[0].is_store = path.timing.instructions[2].is_store = true;
  EXPECT_EQ(held(path.graph(), 2), (Edge{0, 2, Kind::store, "after a store", 11, false, true}));
}

TEST(PathGraph, TheBlocksBarrierLetsItsWarpsGo) {
  StraightPath path(2);
  path.timing.instructions[0].is_barrier = true;
  path.timing.instructions[0].barrier_latency = 34;
  EXPECT_EQ(held(path.graph(), 1), (Edge{0, 1, Kind::barrier, "barrier", 34, false, true}));
}

// Two loads set one barrier register; the wait is for the slower, which issued first.
TEST(PathGraph, OfSeveralThatSetABarrierRegisterTheLastToCompleteHolds) {
  StraightPath path(3);
  path.timing.instructions[0].write_barrier = path.timing.instructions[1].write_barrier = 1;
  path.timing.instructions[0].latency = 400;
  path.timing.instructions[1].latency = 30;
  path.timing.instructions[2].wait_mask = 2;
  EXPECT_EQ(held(path.graph(), 2), (Edge{0, 2, Kind::scoreboard, "SB1", 400, false, true}));
}

// DEPBAR.LE SB0, 0x1: the older of two, by its number of outstanding ones.
TEST(PathGraph, AWaitForAtMostSoManyNamesTheOneItWaitedFor) {
  StraightPath path(3);
  path.timing.instructions[0].write_barrier = path.timing.instructions[1].write_barrier = 0;
  path.timing.instructions[0].latency = path.timing.instructions[1].latency = 200;
  path.timing.instructions[2].waits_on_scoreboard = 0;
  path.timing.instructions[2].scoreboard_left = 1;
  EXPECT_EQ(held(path.graph(), 2), (Edge{0, 2, Kind::scoreboard, "SB0", 200, false, true}));
}

// Consecutive loads are closer than others: no edge claims more than there is between them.
TEST(PathGraph, LoadsInARowAreAsFarApartAsTheyAre) {
  StraightPath path(2);
  path.timing.load_gaps = {1};
  path.timing.instructions[0].is_load = path.timing.instructions[1].is_load = true;
  EXPECT_EQ(held(path.graph(), 1), (Edge{0, 1, Kind::issue, "", 1, false, true}));
}

}  // namespace
}  // namespace forewarp::tests
