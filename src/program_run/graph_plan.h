// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "program_run/graph.h"
#include "program_run/virtual_clock.h"

namespace forewarp::program_run {

/// A graph that can be launched: a copy of its nodes, those of graphs within nodes among them, in
/// an order in which they may be done.
struct GraphPlan {
  struct Step {
    GraphNode node;                    ///< its `after` and `child` are not used
    std::vector<std::uint32_t> after;  ///< earlier steps
    bool mark = false;                 ///< begin or end of a graph within: no work of a device
  };
  std::vector<Step> steps;
  std::uint64_t flags = 0;  ///< as the program gave them
  bool launched = false;
  bool frees = false;  ///< memory that is live still is freed by the next launch
};

[[nodiscard]] GraphPlan plan_of(const Graph& graph);

/// The step of a node of the graph that the plan was made of; null: there is none.
[[nodiscard]] GraphPlan::Step* step_of(GraphPlan& plan, const GraphNode& node);

/// Takes over what the nodes of a graph of the same shape do. The numbers are those of CUDA's
/// cudaGraphExecUpdateResult.
struct PlanUpdate {
  enum class Result : std::int32_t {
    done = 0,
    topology_changed = 2,
    kind_changed = 3,
    parameters_changed = 5
  };
  Result result = Result::done;
  std::uint64_t node = 0;  ///< of the graph, by its id; 0: none is to blame
};
[[nodiscard]] PlanUpdate update(GraphPlan& plan, const Graph& graph);

/// A launch of a plan that is under way.
struct GraphRun {
  std::shared_ptr<const GraphPlan> plan;
  StreamId stream = legacy_stream;
  std::uint32_t device = 0;
  std::size_t next = 0;  ///< step
  Nanoseconds begin = 0, end = 0;
  std::vector<Nanoseconds> ends;  ///< of the steps
};

}  // namespace forewarp::program_run
