// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "program_run/graph.h"

namespace forewarp::program_run {

/// All graphs of a program, those within nodes among them. Handles are checked here before they are
/// followed.
class Graphs {
 public:
  Graph* make();
  /// False: there is none, or it lies within a node.
  bool end(Graph* graph);
  [[nodiscard]] bool has(const Graph* graph) const { return graphs_.contains(graph); }
  [[nodiscard]] bool has_node(const GraphNode* node) const { return nodes_.contains(node); }
  /// A copy with nodes of its own, which know what they were cloned from.
  Graph* clone(const Graph& graph);
  /// The node of a clone that was made from a node; null: none is left.
  [[nodiscard]] static GraphNode* in_clone(const GraphNode& original, const Graph& clone);

  /// Null: one of `after` belongs to another graph.
  GraphNode* add(Graph& graph, GraphNode node, std::span<GraphNode* const> after);
  /// A node that does another graph, as it is now.
  GraphNode* add_child(Graph& graph, const Graph& child, std::span<GraphNode* const> after);
  void replace_child(GraphNode& node, const Graph& child);
  void end_node(GraphNode* node);
  /// False: the nodes belong to different graphs, are connected, or are one. A circle is allowed,
  /// as on a board: it shows when the graph is made to be launched.
  bool connect(GraphNode* from, GraphNode* to);
  bool disconnect(const GraphNode* from, GraphNode* to);

 private:
  std::shared_ptr<Graph> copy(const Graph& graph);
  void forget(const Graph& graph);

  std::map<const Graph*, std::shared_ptr<Graph>> graphs_;
  std::map<const GraphNode*, bool> nodes_;
  std::uint64_t ids_ = 0;
};

/// Every node behind those that it follows, otherwise in the order of their making.
[[nodiscard]] std::vector<GraphNode*> in_order(const Graph& graph);
/// Whether nodes of it, or of a graph within, follow themselves; in_order() leaves those out.
[[nodiscard]] bool has_circle(const Graph& graph);
[[nodiscard]] std::vector<GraphNode*> roots_of(const Graph& graph);
[[nodiscard]] std::vector<GraphNode*> followers_of(const GraphNode& node);
[[nodiscard]] std::vector<std::pair<GraphNode*, GraphNode*>> edges_of(const Graph& graph);
/// Whether work that follows `later` also follows `node`.
[[nodiscard]] bool reaches(const GraphNode* later, const GraphNode* node);

}  // namespace forewarp::program_run
