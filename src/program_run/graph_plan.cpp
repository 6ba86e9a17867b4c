// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/graph_plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "program_run/graphs.h"

namespace forewarp::program_run {
namespace {

using Steps = std::vector<std::uint32_t>;

std::uint32_t append(GraphPlan& plan, const GraphNode& node, Steps after, bool mark) {
  GraphPlan::Step step;
  step.node = node;
  step.node.after.clear();
  step.node.child.reset();
  step.after = std::move(after);
  step.mark = mark;
  plan.steps.push_back(std::move(step));
  return static_cast<std::uint32_t>(plan.steps.size() - 1);
}

/// Appends a graph whose first nodes follow `begin`; returns the steps that nothing follows.
Steps append(GraphPlan& plan, const Graph& graph, const Steps& begin) {
  std::map<const GraphNode*, std::uint32_t> places;
  std::map<const GraphNode*, bool> followed;
  for (const GraphNode* const node : in_order(graph)) {
    Steps after;
    for (const GraphNode* const before : node->after) {
      after.push_back(places.at(before));
      followed[before] = true;
    }
    if (after.empty()) after = begin;
    const bool within = node->child != nullptr;
    std::uint32_t last = append(plan, *node, std::move(after), within);
    if (within) {
      GraphNode end;
      end.kind = GraphNode::Kind::empty;
      Steps ends = append(plan, *node->child, {last});
      if (ends.empty()) ends = {last};
      last = append(plan, end, std::move(ends), true);
    }
    places[node] = last;
  }
  Steps ends;
  for (const auto& [node, place] : places) {
    if (!followed.contains(node)) ends.push_back(place);
  }
  std::sort(ends.begin(), ends.end());
  return ends;
}

bool same_shape(const GraphPlan::Step& one, const GraphPlan::Step& other) {
  Steps first = one.after, second = other.after;
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  return first == second;
}

}  // namespace

GraphPlan plan_of(const Graph& graph) {
  GraphPlan plan;
  append(plan, graph, {});
  return plan;
}

GraphPlan::Step* step_of(GraphPlan& plan, const GraphNode& node) {
  const auto found =
      std::find_if(plan.steps.begin(), plan.steps.end(),
                   [&](const GraphPlan::Step& step) { return step.node.id == node.id; });
  return found == plan.steps.end() ? nullptr : &*found;
}

PlanUpdate update(GraphPlan& plan, const Graph& graph) {
  using Result = PlanUpdate::Result;
  GraphPlan changed = plan_of(graph);
  if (changed.steps.size() != plan.steps.size()) return {Result::topology_changed, 0};
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const GraphPlan::Step &own = plan.steps[i], &other = changed.steps[i];
    if (own.node.kind != other.node.kind || own.mark != other.mark)
      return {Result::kind_changed, other.node.id};
    if (!same_shape(own, other)) return {Result::topology_changed, other.node.id};
    const bool moved = own.node.memory && other.node.memory &&
                       own.node.memory->address != other.node.memory->address;
    if (moved) return {Result::parameters_changed, other.node.id};
  }
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    // It stays the step of the node that it was made of.
    changed.steps[i].node.id = plan.steps[i].node.id;
    changed.steps[i].node.enabled = plan.steps[i].node.enabled;
  }
  changed.frees = plan.frees;
  changed.launched = plan.launched;
  plan = std::move(changed);
  return {};
}

}  // namespace forewarp::program_run
