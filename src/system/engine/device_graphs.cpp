// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simgrid/s4u.hpp>
#include <utility>

#include "base/text.h"
#include "system/description/factors.h"
#include "system/engine/devices.h"

namespace forewarp::system {

namespace sg = simgrid::s4u;

namespace {

constexpr std::size_t most_nodes = 100'000, most_launched = 20'000'000;

/// What a lane waited for until now, where that took time.
void note_wait(Timeline& timeline, std::uint32_t lane, double began, Instant cause) {
  const double now = World::now();
  if (now > began) timeline.add({lane, Activity::delay, "", now, now, cause, true});
}

}  // namespace

Graph& Devices::open_graph(Process& process, std::size_t device) {
  process.graphs.push_back(std::make_unique<Graph>());
  Graph& graph = *process.graphs.back();
  graph.device = device;
  graph.free = sg::Semaphore::create(1);
  return graph;
}

std::size_t Devices::add(Process& process, Graph& graph, const KernelRun& run,
                         const NodeOrder& order) {
  const std::size_t node = add(process, graph, kernel_work(process, graph.device, run), order);
  LaunchCosts& most = graph.costs;
  most.start_s = std::max(most.start_s, run.costs.start_s);
  most.call_s = std::max(most.call_s, run.costs.call_s);
  most.node_s = std::max(most.node_s, run.costs.node_s);
  return node;
}

std::size_t Devices::add(Process& process, Graph& graph, const CopyRun& run,
                         const NodeOrder& order) {
  return add(process, graph, copy_work(graph.device, run), order);
}

/// A node goes on with the branch of one that it follows where no other node did so before.
std::size_t Devices::add(Process& process, Graph& graph, Stream::Operation work,
                         const NodeOrder& order) {
  if (graph.is_launched) throw CallFault("the graph was launched; expected its nodes before that");
  if (++nodes_ > most_nodes) throw CallFault("the graphs have more than 100000 nodes");
  std::vector<std::size_t> after;
  if (order) {
    after = *order;
  } else if (!graph.nodes.empty()) {
    after = {graph.nodes.size() - 1};
  }
  Graph::Node node{std::move(work), graph.branches.size(), 1, {}, after.empty()};
  for (const std::size_t number : after) {
    if (number >= graph.nodes.size()) {
      throw CallFault("a node follows node " + std::to_string(number + 1) + " of " +
                      std::to_string(graph.nodes.size()) + "; expected one that was added before");
    }
    const Graph::Node& before = graph.nodes[number];
    const bool is_last = graph.branches[before.branch].nodes == before.count;
    if (node.branch == graph.branches.size() && is_last) {
      node.branch = before.branch;
      node.count = before.count + 1;
    } else {
      node.after.push_back(number);
    }
  }
  if (node.branch == graph.branches.size()) {
    const std::string name = process.name + " graph " + std::to_string(process.graphs.size() - 1) +
                             '.' + std::to_string(node.branch);
    graph.branches.push_back({new_stream(name, graph.device), 0});
  }
  ++graph.branches[node.branch].nodes;
  graph.nodes.push_back(std::move(node));
  return graph.nodes.size() - 1;
}

LaunchCosts Devices::graph_costs(const Graph& graph) {
  LaunchCosts costs = graph.costs;
  const Host* const host = host_of(graph.device);
  if (host == nullptr) return costs;
  const std::string on = " on " + world_.system().components[graph.device].name + ": ";
  if (host->graph_launch_us > 0) {
    costs.start_s = host->graph_launch_us * per_micro;
  } else {
    if (host->launch_us > 0) costs.start_s = host->launch_us * per_micro;
    assumptions_.insert("a graph starts as long after its call as a kernel" + on +
                        "graph.launch_us of its host was not measured");
  }
  if (host->knows_graph_nodes() || costs.node_s <= 0) {
    costs.node_s = host->graph_node_us * per_micro;
  }
  if (!host->knows_graph_nodes()) {
    assumptions_.insert("nodes of a graph follow each other after " +
                        significant(costs.node_s * micro) + " us" + on +
                        "graph.node_us of its host was not measured");
  }
  if (host->launch_call_us <= 0 && costs.call_s <= 0) {
    assumptions_.insert("launches into streams do not hold their process" + on +
                        "launch.call_us of its host was not measured, so streams seem better "
                        "beside graphs than they are");
  }
  return costs;
}

void Devices::launch(Process& process, Graph& graph, Stream* stream) {
  if (stream != nullptr && stream->device() != graph.device) {
    throw CallFault("the graph is one of " + world_.system().components[graph.device].name +
                    ", its stream one of " + world_.system().components[stream->device()].name);
  }
  if (graph.nodes.empty()) throw CallFault("the graph has no node");
  graph.is_launched = true;
  launched_ += graph.nodes.size();
  if (launched_ > most_launched) {
    throw CallFault("the graphs launched 20000000 nodes, the limit");
  }
  const LaunchCosts costs = graph_costs(graph);
  issue(
      {process, graph.device, stream},
      [this, &graph, costs](std::uint32_t lane, Instant given) {
        wait_for_launch(lane, given, costs.start_s);
        const double ready = World::now();
        graph.free->acquire();
        note_wait(world_.timeline(), lane, ready, graph.last);
        run_graph(graph, lane, costs.node_s);
        graph.free->release();
      },
      costs.call_s);
}

/// Until the nodes of other branches that the node follows have ended.
void Devices::await_others(const Graph& graph, const Graph::Node& node, std::uint32_t lane) {
  for (const std::size_t number : node.after) {
    const Graph::Node& other = graph.nodes[number];
    const Graph::Branch& branch = graph.branches[other.branch];
    const double began = World::now();
    branch.stream->wait_done(graph.runs * branch.nodes + other.count);
    note_wait(world_.timeline(), lane, began, {branch.stream->lane(), World::now()});
  }
}

/// Gives every branch its nodes and waits for their ends.
void Devices::run_graph(Graph& graph, std::uint32_t lane, double node_s) {
  const Instant begin{lane, World::now()};
  for (const Graph::Node& node : graph.nodes) {
    const auto run = [this, &graph, &node, node_s](std::uint32_t own, Instant given) {
      await_others(graph, node, own);
      if (!node.is_first && node_s > 0) {
        const double from = World::now();
        sg::this_actor::sleep_for(world_.ticked(node_s));
        world_.timeline().add({own, Activity::delay, "graph", from, World::now(), {}, false});
      }
      node.work(own, given);
    };
    graph.branches[node.branch].stream->give(run, begin);
  }
  graph.last = begin;
  for (const Graph::Branch& branch : graph.branches) {
    branch.stream->wait_done((graph.runs + 1) * branch.nodes);
    const double end = branch.stream->done_at();
    if (end >= graph.last.at) graph.last = {branch.stream->lane(), end};
  }
  ++graph.runs;
  note_wait(world_.timeline(), lane, begin.at, graph.last);
}

}  // namespace forewarp::system
