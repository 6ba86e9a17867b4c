// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Graphs: doing the nodes of one with their times, and the memory that nodes allocate.
#include <algorithm>
#include <utility>

#include "program_run/machine.h"

namespace forewarp::program_run {

namespace {

Nanoseconds graph_ns(double us) {
  constexpr double ns_per_us = 1000;
  return static_cast<Nanoseconds>(us * ns_per_us);
}

bool may_free(Freeing by, MemoryKind kind) {
  switch (by) {
    case Freeing::memory:
      return kind == MemoryKind::device || kind == MemoryKind::managed;
    case Freeing::in_stream:
      return kind == MemoryKind::device;
    case Freeing::host:
      return kind == MemoryKind::pinned;
    case Freeing::registration:
      return kind == MemoryKind::registered;
  }
  return false;
}

/// The order of a copy or fill in the stream that the graph is launched in.
template <class Order>
Order in_stream(Order order, StreamId stream) {
  order.stream = stream;
  return order;
}

}  // namespace

const GraphPlan* Machine::instantiate(const Graph& graph, bool frees) {
  auto made = std::make_shared<GraphPlan>(plan_of(graph));
  made->frees = frees;
  costs_.charge(hardware::HostCall::instantiate, 0, static_cast<double>(made->steps.size()));
  const GraphPlan* const handle = made.get();
  plans_.emplace(handle, std::move(made));
  return handle;
}

std::shared_ptr<GraphPlan> Machine::plan(const GraphPlan* handle) const {
  const auto found = plans_.find(handle);
  return found == plans_.end() ? nullptr : found->second;
}

bool Machine::end_plan(const GraphPlan* handle) {
  const auto found = plans_.find(handle);
  if (found == plans_.end()) return false;
  costs_.charge(hardware::HostCall::end_graph, 0, static_cast<double>(found->second->steps.size()));
  plans_.erase(found);
  return true;
}

std::shared_ptr<GraphMemory> Machine::graph_memory(std::uint64_t bytes, std::uint32_t device) {
  const std::uint64_t address = memory_.allocate(bytes, MemoryKind::device, device);
  if (address == 0) return nullptr;
  // The last graph with the node gives the memory back, unless the program still has it.
  const auto give_back = [this](GraphMemory* memory) {
    if (graph_memory_.erase(memory->address) != 0 && !memory->live)
      memory_.release(memory->address);
    delete memory;  // NOLINT: of a shared pointer
  };
  std::shared_ptr<GraphMemory> made(new GraphMemory{address, bytes}, give_back);
  graph_memory_[address] = made;
  return made;
}

std::shared_ptr<GraphMemory> Machine::graph_memory_at(std::uint64_t address) const {
  const auto found = graph_memory_.find(address);
  return found == graph_memory_.end() ? nullptr : found->second.lock();
}

std::uint64_t Machine::allocate(std::uint64_t bytes, MemoryKind kind, std::uint32_t device) {
  const std::uint64_t made = memory_.allocate(bytes, kind, device);
  if (made != 0) costs_.allocated(kind, bytes);
  return made;
}

std::uint64_t Machine::allocate_in_stream(std::uint64_t bytes, std::uint32_t device) {
  const std::uint64_t made = memory_.allocate(bytes, MemoryKind::device, device);
  if (made != 0) costs_.allocated_in_stream(bytes);
  return made;
}

bool Machine::adopt(std::uint64_t address, std::uint64_t bytes, std::uint32_t device) {
  const bool done = memory_.adopt(address, bytes, MemoryKind::registered, device);
  if (done) costs_.allocated(MemoryKind::registered, bytes);
  return done;
}

bool Machine::release(std::uint64_t address, Freeing by) {
  const Allocation* const found = memory_.find(address);
  if (found == nullptr || found->address != address || !may_free(by, found->kind)) return false;
  if (const auto memory = graph_memory_at(address)) return std::exchange(memory->live, false);
  if (arrays_.contains(address)) return false;
  if (by == Freeing::in_stream) {
    costs_.freed_in_stream(found->bytes);
  } else {
    costs_.freed(found->kind, found->bytes);
  }
  return memory_.release(address);
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
  costs_.charge(hardware::HostCall::host_function);
  place(stream, device, Engine::none, 0);
  return work;
}

Status Machine::begin_run(std::shared_ptr<const GraphPlan> plan, StreamId stream,
                          std::uint32_t device, GraphRun& run) {
  if (fault_ != Status::success) return fault_;
  const auto nodes = static_cast<double>(plan->steps.size());
  if (!std::exchange(plans_[plan.get()]->launched, true))
    clock_.spend(graph_ns(costs_.us(hardware::HostCall::first_of_graph, 0, nodes)));
  costs_.charge(hardware::HostCall::launch_graph);
  // Behind other work of the stream it starts as a kernel does.
  const Nanoseconds before = schedule_of(stream, device).ready(stream);
  run.begin = run.end = std::max(before > 0 ? before + graph_ns(gpu_->stream_us) : 0,
                                 clock_.now() + graph_ns(host_.graph_launch_us));
  run.ends.assign(plan->steps.size(), run.begin);
  run.stream = stream;
  run.device = device;
  run.plan = std::move(plan);
  return Status::success;
}

Status Machine::do_node(const GraphNode& node, const GraphRun& run) {
  switch (node.kind) {
    case GraphNode::Kind::kernel:
      return launch(node.launch, run.stream, run.device);
    case GraphNode::Kind::copy:
      return copy(in_stream(node.copy, run.stream), run.device);
    case GraphNode::Kind::fill:
      return fill(in_stream(node.fill, run.stream), run.device);
    case GraphNode::Kind::library:
      return library(node.library, run.stream, run.device);
    case GraphNode::Kind::record_event:
      if (!has_event(node.event)) return Status::invalid_value;
      node_->end = node_->earliest + graph_ns(node.event->timed ? gpu_->event_us : 0);
      node.event->time = node_->end;
      node.event->recorded = true;
      node.event->capture = nullptr;
      return Status::success;
    case GraphNode::Kind::wait_event:
      if (!has_event(node.event)) return Status::invalid_value;
      if (node.event->recorded) node_->end = std::max(node_->earliest, node.event->time);
      return Status::success;
    case GraphNode::Kind::allocate:
      if (std::exchange(node.memory->live, true) && !run.plan->frees) return Status::invalid_value;
      return Status::success;
    case GraphNode::Kind::release:
      return std::exchange(node.memory->live, false) ? Status::success : Status::invalid_value;
    case GraphNode::Kind::host:
    case GraphNode::Kind::graph:
    case GraphNode::Kind::empty:
      return Status::success;
  }
  return Status::success;
}

Status Machine::go_on(GraphRun& run, std::function<void()>& host) {
  host = {};
  while (run.next < run.plan->steps.size() && !host) {
    const GraphPlan::Step& step = run.plan->steps[run.next];
    NodePlace at{run.begin, run.begin};
    const Nanoseconds gap = step.mark ? 0 : graph_ns(host_.graph_node_us);
    for (const std::uint32_t before : step.after)
      at.earliest = std::max(at.earliest, run.ends[before] + gap);
    at.end = at.earliest;
    node_ = &at;
    const Status status = step.node.enabled ? do_node(step.node, run) : Status::success;
    node_ = nullptr;
    if (status != Status::success) return status;
    if (step.node.enabled && step.node.kind == GraphNode::Kind::host) host = step.node.host;
    run.ends[run.next++] = at.end;
    run.end = std::max(run.end, at.end);
  }
  schedule_of(run.stream, run.device).advance(run.stream, run.end);
  return Status::success;
}

}  // namespace forewarp::program_run
