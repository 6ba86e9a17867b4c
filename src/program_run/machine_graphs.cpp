// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Graphs: capturing streams, and doing the nodes of one with their times.
#include <algorithm>

#include "program_run/machine.h"

namespace forewarp::program_run {

namespace {
constexpr double graph_ns_per_us = 1000;
}

Graph* Machine::make_graph() {
  auto made = std::make_unique<Graph>();
  Graph* graph = made.get();
  graphs_.emplace(graph, std::move(made));
  return graph;
}

bool Machine::has_graph(const Graph* graph) const {
  return graphs_.contains(graph);
}

Graph* Machine::instantiate(const Graph& graph) {
  Graph* const made = make_graph();
  *made = graph;
  return made;
}

bool Machine::end_graph(Graph* graph) {
  return graphs_.erase(graph) != 0;
}

bool Machine::begin_capture(StreamId stream) {
  if (captured_.contains(stream)) return false;
  auto made = std::make_unique<Capture>();
  made->graph = make_graph();
  made->origin = stream;
  captured_[stream] = {made.get(), {}};
  captures_.push_back(std::move(made));
  return true;
}

Graph* Machine::end_capture(StreamId stream) {
  const auto found = captured_.find(stream);
  if (found == captured_.end()) return nullptr;
  const Capture* const capture = found->second.capture;
  Graph* const graph = capture->graph;
  std::erase_if(captured_, [&](const auto& one) { return one.second.capture == capture; });
  for (const auto& [known, event] : events_) {
    if (event->capture == capture) event->capture = nullptr;
  }
  std::erase_if(captures_, [&](const auto& one) { return one.get() == capture; });
  return graph;
}

const Capture* Machine::capture_of(StreamId stream) const {
  const auto found = captured_.find(stream);
  return found == captured_.end() ? nullptr : found->second.capture;
}

void Machine::capture(StreamId stream, GraphNode node) {
  CapturedStream& captured = captured_[stream];
  std::vector<GraphNode>& nodes = captured.capture->graph->nodes;
  node.after = captured.last;
  captured.last = {static_cast<std::uint32_t>(nodes.size())};
  nodes.push_back(std::move(node));
}

std::function<void()> Machine::host_work(std::function<void()> work, StreamId stream,
                                         std::uint32_t device) {
  if (capture_of(stream) != nullptr) {
    GraphNode node;
    node.kind = GraphNode::Kind::host;
    node.host = std::move(work);
    capture(stream, std::move(node));
    return {};
  }
  place(stream, device, Engine::none, 0);
  return work;
}

Status Machine::launch_graph(const Graph& graph, StreamId stream, std::uint32_t device,
                             std::vector<std::function<void()>>& host) {
  if (fault_ != Status::success) return fault_;
  const auto ns = [](double us) { return static_cast<Nanoseconds>(us * graph_ns_per_us); };
  DeviceSchedule& schedule = schedule_of(stream, device);
  const Nanoseconds begin =
      std::max(schedule.ready(stream), clock_.now() + ns(host_.graph_launch_us));
  std::vector<Nanoseconds> ends(graph.nodes.size(), begin);
  Nanoseconds end = begin;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    NodePlace at{begin, begin};
    for (const std::uint32_t before : node.after)
      at.earliest = std::max(at.earliest, ends[before] + ns(host_.graph_node_us));
    at.end = at.earliest;
    node_ = &at;
    Status status = Status::success;
    switch (node.kind) {
      case GraphNode::Kind::kernel:
        status = launch(node.launch, stream, device);
        break;
      case GraphNode::Kind::copy: {
        CopyOrder order = node.copy;
        order.stream = stream;
        status = copy(order, device);
        break;
      }
      case GraphNode::Kind::fill: {
        FillOrder order = node.fill;
        order.stream = stream;
        status = fill(order, device);
        break;
      }
      case GraphNode::Kind::library:
        status = library(node.library, stream, device);
        break;
      case GraphNode::Kind::host:
        host.push_back(node.host);
        break;
      case GraphNode::Kind::empty:
        break;
    }
    node_ = nullptr;
    if (status != Status::success) return status;
    ends[i] = at.end;
    end = std::max(end, at.end);
  }
  schedule.advance(stream, end);
  return Status::success;
}

}  // namespace forewarp::program_run
