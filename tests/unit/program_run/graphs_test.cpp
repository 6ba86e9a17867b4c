// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/graphs.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "program_run/graph_plan.h"

namespace forewarp::tests {
namespace {

using Nodes = std::vector<GraphNode*>;
using Steps = std::vector<std::uint32_t>;

GraphNode* node(Graphs& graphs, Graph& graph, const Nodes& after = {},
                GraphNode::Kind kind = GraphNode::Kind::empty) {
  GraphNode made;
  made.kind = kind;
  return graphs.add(graph, std::move(made), after);
}

TEST(Graphs, OrderPutsEveryNodeBehindThoseThatItFollows) {
  Graphs graphs;
  Graph& graph = *graphs.make();
  GraphNode* const a = node(graphs, graph);
  GraphNode* const b = node(graphs, graph);
  GraphNode* const c = node(graphs, graph, {a});
  EXPECT_EQ(in_order(graph), (Nodes{a, b, c}));
  EXPECT_TRUE(graphs.connect(c, b));
  EXPECT_EQ(in_order(graph), (Nodes{a, c, b}));
  EXPECT_FALSE(graphs.connect(c, b)) << "it is there";
  EXPECT_FALSE(has_circle(graph));
  EXPECT_TRUE(graphs.connect(b, a)) << "a circle";
  EXPECT_TRUE(has_circle(graph));
  EXPECT_TRUE(graphs.disconnect(b, a));
  EXPECT_FALSE(graphs.connect(a, a));
  EXPECT_EQ(roots_of(graph), (Nodes{a}));
  EXPECT_EQ(followers_of(*a), (Nodes{c}));
  EXPECT_TRUE(reaches(b, a));
  EXPECT_FALSE(reaches(a, b));
  EXPECT_TRUE(graphs.disconnect(a, c));
  EXPECT_FALSE(graphs.disconnect(a, c));
  EXPECT_EQ(edges_of(graph).size(), 1U);
}

TEST(Graphs, HandlesThatAreGoneAreNoHandles) {
  Graphs graphs;
  Graph* const graph = graphs.make();
  Graph* const other = graphs.make();
  GraphNode* const a = node(graphs, *graph);
  GraphNode* const b = node(graphs, *graph, {a});
  EXPECT_EQ(node(graphs, *other, {a}), nullptr) << "of another graph";
  EXPECT_FALSE(graphs.connect(a, node(graphs, *other)));
  graphs.end_node(a);
  EXPECT_FALSE(graphs.has_node(a));
  EXPECT_TRUE(b->after.empty());
  GraphNode* const child = graphs.add_child(*other, *graph, {});
  EXPECT_FALSE(graphs.end(child->child.get())) << "it lies within a node";
  const Graph* const within = child->child.get();
  EXPECT_TRUE(graphs.end(other));
  EXPECT_FALSE(graphs.has(within));
  EXPECT_FALSE(graphs.end(other));
  EXPECT_TRUE(graphs.has(graph));
}

TEST(Graphs, CloneKnowsWhatItsNodesWereMadeFrom) {
  Graphs graphs;
  Graph& graph = *graphs.make();
  GraphNode* const a = node(graphs, graph);
  GraphNode* const b = node(graphs, graph, {a});
  Graph& clone = *graphs.clone(graph);
  GraphNode* const twin = Graphs::in_clone(*b, clone);
  ASSERT_NE(twin, nullptr);
  EXPECT_EQ(twin->after, (Nodes{Graphs::in_clone(*a, clone)}));
  graphs.end_node(twin);
  EXPECT_EQ(Graphs::in_clone(*b, clone), nullptr);
  EXPECT_EQ(graph.nodes.size(), 2U);
}

TEST(GraphPlan, GraphWithinANodeBeginsAndEndsThere) {
  Graphs graphs;
  Graph& part = *graphs.make();
  node(graphs, part);
  node(graphs, part);
  Graph& whole = *graphs.make();
  GraphNode* const first = node(graphs, whole);
  GraphNode* const child = graphs.add_child(whole, part, Nodes{first});
  node(graphs, whole, {child});
  // first, begin, both nodes, end, last
  const GraphPlan plan = plan_of(whole);
  ASSERT_EQ(plan.steps.size(), 6U);
  EXPECT_EQ(plan.steps[1].after, (Steps{0}));
  EXPECT_TRUE(plan.steps[1].mark);
  EXPECT_EQ(plan.steps[2].after, (Steps{1}));
  EXPECT_EQ(plan.steps[3].after, (Steps{1}));
  EXPECT_EQ(plan.steps[4].after, (Steps{2, 3}));
  EXPECT_TRUE(plan.steps[4].mark);
  EXPECT_EQ(plan.steps[5].after, (Steps{4}));
  EXPECT_EQ(plan_of(*graphs.make()).steps.size(), 0U);
}

TEST(GraphPlan, UpdateTakesOverWhatNodesOfTheSameShapeDo) {
  using Result = PlanUpdate::Result;
  Graphs graphs;
  const auto graph_of = [&](GraphNode::Kind last, bool follows) -> Graph& {
    Graph& made = *graphs.make();
    GraphNode* const first = node(graphs, made, {}, GraphNode::Kind::fill);
    node(graphs, made, follows ? Nodes{first} : Nodes{}, last);
    return made;
  };
  Graph& graph = graph_of(GraphNode::Kind::copy, true);
  GraphPlan plan = plan_of(graph);
  Graph& same = graph_of(GraphNode::Kind::copy, true);
  same.nodes[0]->fill.value = 7;
  EXPECT_EQ(update(plan, same).result, Result::done);
  ASSERT_NE(step_of(plan, *graph.nodes[0]), nullptr) << "it stays the plan of its graph";
  EXPECT_EQ(step_of(plan, *graph.nodes[0])->node.fill.value, 7U);
  EXPECT_EQ(step_of(plan, *same.nodes[0]), nullptr);
  Graph& kind = graph_of(GraphNode::Kind::host, true);
  EXPECT_EQ(update(plan, kind).result, Result::kind_changed);
  EXPECT_EQ(update(plan, kind).node, kind.nodes[1]->id);
  EXPECT_EQ(update(plan, graph_of(GraphNode::Kind::copy, false)).result, Result::topology_changed);
  EXPECT_EQ(update(plan, *graphs.make()).result, Result::topology_changed);
}

}  // namespace
}  // namespace forewarp::tests
