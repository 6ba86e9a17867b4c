// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/graphs.h"

#include <algorithm>

namespace forewarp::program_run {

Graph* Graphs::make() {
  auto made = std::make_shared<Graph>();
  Graph* const graph = made.get();
  graphs_.emplace(graph, std::move(made));
  return graph;
}

void Graphs::forget(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    nodes_.erase(node.get());
    if (node->child) forget(*node->child);
  }
  graphs_.erase(&graph);
}

bool Graphs::end(Graph* graph) {
  const auto found = graphs_.find(graph);
  // One within a node is held by the node as well.
  if (found == graphs_.end() || found->second.use_count() > 1) return false;
  const std::shared_ptr<Graph> kept = found->second;
  forget(*kept);
  return true;
}

std::shared_ptr<Graph> Graphs::copy(const Graph& graph) {
  auto made = std::make_shared<Graph>();
  std::map<const GraphNode*, GraphNode*> places;
  for (const auto& node : graph.nodes) {
    auto& own = made->nodes.emplace_back(std::make_unique<GraphNode>(*node));
    own->graph = made.get();
    own->original = node->id;
    own->id = ++ids_;
    if (node->child) own->child = copy(*node->child);
    places[node.get()] = own.get();
    nodes_[own.get()] = true;
  }
  for (const auto& node : made->nodes) {
    for (GraphNode*& before : node->after) before = places.at(before);
  }
  graphs_.emplace(made.get(), made);
  return made;
}

Graph* Graphs::clone(const Graph& graph) {
  return copy(graph).get();
}

GraphNode* Graphs::in_clone(const GraphNode& original, const Graph& clone) {
  const auto found = std::find_if(clone.nodes.begin(), clone.nodes.end(),
                                  [&](const auto& node) { return node->original == original.id; });
  return found == clone.nodes.end() ? nullptr : found->get();
}

GraphNode* Graphs::add(Graph& graph, GraphNode node, std::span<GraphNode* const> after) {
  for (GraphNode* const before : after) {
    if (!has_node(before) || before->graph != &graph) return nullptr;
  }
  node.after.assign(after.begin(), after.end());
  node.graph = &graph;
  node.id = ++ids_;
  graph.nodes.push_back(std::make_unique<GraphNode>(std::move(node)));
  GraphNode* const made = graph.nodes.back().get();
  nodes_[made] = true;
  return made;
}

GraphNode* Graphs::add_child(Graph& graph, const Graph& child, std::span<GraphNode* const> after) {
  GraphNode node;
  node.kind = GraphNode::Kind::graph;
  node.child = copy(child);
  Graph* const copied = node.child.get();
  GraphNode* const made = add(graph, std::move(node), after);
  if (made == nullptr) forget(*copied);
  return made;
}

void Graphs::replace_child(GraphNode& node, const Graph& child) {
  const auto old = std::exchange(node.child, copy(child));
  if (old) forget(*old);
}

void Graphs::end_node(GraphNode* node) {
  Graph& graph = *node->graph;
  for (const auto& other : graph.nodes) std::erase(other->after, node);
  if (node->child) forget(*node->child);
  nodes_.erase(node);
  std::erase_if(graph.nodes, [&](const auto& kept) { return kept.get() == node; });
}

bool Graphs::connect(GraphNode* from, GraphNode* to) {
  if (from->graph != to->graph || from == to) return false;
  if (std::find(to->after.begin(), to->after.end(), from) != to->after.end()) return false;
  to->after.push_back(from);
  return true;
}

bool Graphs::disconnect(const GraphNode* from, GraphNode* to) {
  return std::erase(to->after, from) != 0;
}

std::vector<GraphNode*> in_order(const Graph& graph) {
  std::vector<GraphNode*> order;
  std::map<const GraphNode*, bool> done;
  while (order.size() < graph.nodes.size()) {
    const std::size_t before = order.size();
    for (const auto& node : graph.nodes) {
      const bool ready = std::all_of(node->after.begin(), node->after.end(),
                                     [&](const GraphNode* one) { return done.contains(one); });
      if (!ready || !done.emplace(node.get(), true).second) continue;
      order.push_back(node.get());
    }
    if (order.size() == before) break;  // a circle
  }
  return order;
}

bool has_circle(const Graph& graph) {
  return in_order(graph).size() < graph.nodes.size() ||
         std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const auto& node) { return node->child && has_circle(*node->child); });
}

std::vector<GraphNode*> roots_of(const Graph& graph) {
  std::vector<GraphNode*> roots;
  for (const auto& node : graph.nodes) {
    if (node->after.empty()) roots.push_back(node.get());
  }
  return roots;
}

std::vector<GraphNode*> followers_of(const GraphNode& node) {
  std::vector<GraphNode*> followers;
  for (const auto& other : node.graph->nodes) {
    const auto& after = other->after;
    if (std::find(after.begin(), after.end(), &node) != after.end())
      followers.push_back(other.get());
  }
  return followers;
}

std::vector<std::pair<GraphNode*, GraphNode*>> edges_of(const Graph& graph) {
  std::vector<std::pair<GraphNode*, GraphNode*>> edges;
  for (const auto& node : graph.nodes) {
    for (GraphNode* const before : node->after) edges.emplace_back(before, node.get());
  }
  return edges;
}

bool reaches(const GraphNode* later, const GraphNode* node) {
  std::vector<const GraphNode*> open{later};
  std::map<const GraphNode*, bool> seen;
  while (!open.empty()) {
    const GraphNode* const at = open.back();
    open.pop_back();
    if (at == node) return true;
    if (!seen.emplace(at, true).second) continue;
    open.insert(open.end(), at->after.begin(), at->after.end());
  }
  return false;
}

}  // namespace forewarp::program_run
