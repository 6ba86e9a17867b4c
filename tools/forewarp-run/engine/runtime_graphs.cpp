// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime interface: graphs, what can be launched of them, and their shape.
#include <cstring>
#include <fstream>

#include "graph_calls.h"
#include "per_thread.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C
using forewarp::program_run::GraphRun;
using forewarp::program_run::PlanUpdate;

namespace {

int instantiate(void** out, void* graph, unsigned long long flags) {
  constexpr unsigned long long frees = 1;  // cudaGraphInstantiateFlagAutoFreeOnLaunch
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    if (has_circle(known)) return Status::invalid_value;
    auto* const made =
        const_cast<GraphPlan*>(machine.instantiate(known, (flags & frees) != 0));  // NOLINT
    made->flags = flags;
    *out = made;
    return Status::success;
  });
}

/// Edges have data, of which there is none here: each is a plain one.
int give_plain_edges(int failed, void* edges, const std::size_t* count) {
  constexpr std::size_t edge_bytes = 8;  // cudaGraphEdgeData
  if (failed == 0 && edges != nullptr) std::memset(edges, 0, *count * edge_bytes);
  return failed;
}

/// The host's functions are called without the lock, each where the graph has come to it.
int launch_graph(void* plan, StreamId stream) {
  GraphRun run;
  int failed = runtime_call([&](Machine& machine) {
    const auto known = machine.plan(static_cast<GraphPlan*>(plan));
    if (!known) return Status::invalid_value;
    if (!machine.has_stream(stream)) return Status::invalid_handle;
    if (const Status refused = machine.launches_graph(stream); refused != Status::success)
      return refused;
    return machine.begin_run(known, stream, thread_state().device, run);
  });
  std::function<void()> host;
  while (failed == 0) {
    failed = runtime_call([&](Machine& machine) { return machine.go_on(run, host); });
    if (!host) break;
    call_program(host);
  }
  return failed;
}

const char* name_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::kernel:
    case NodeKind::library:
      return "KERNEL";
    case NodeKind::copy:
      return "MEMCPY";
    case NodeKind::fill:
      return "MEMSET";
    case NodeKind::host:
      return "HOST";
    case NodeKind::graph:
      return "GRAPH";
    case NodeKind::wait_event:
      return "EVENT_WAIT";
    case NodeKind::record_event:
      return "EVENT_RECORD";
    case NodeKind::allocate:
      return "MEM_ALLOC";
    case NodeKind::release:
      return "MEM_FREE";
    case NodeKind::empty:
      break;
  }
  return "EMPTY";
}

void write_dot(std::ofstream& out, const Graph& graph) {
  for (const auto& node : graph.nodes) {
    out << "\"node_" << node->id << "\" [label=\"" << name_of(node->kind);
    if (node->kind == NodeKind::kernel) out << "\\n" << node->launch.function->code.kernel->name;
    out << "\"];\n";
    if (node->child) {
      out << "subgraph \"cluster_" << node->id << "\" {\n";
      write_dot(out, *node->child);
      out << "}\n";
    }
  }
  for (const auto& [from, to] : forewarp::program_run::edges_of(graph))
    out << "\"node_" << from->id << "\" -> \"node_" << to->id << "\";\n";
}

struct UpdateInfo {
  int result;
  void *node, *from;
};

int update(void* plan, void* graph, UpdateInfo& info) {
  return with_plan(plan, [&](Machine& machine, GraphPlan& known) {
    auto* const with = static_cast<Graph*>(graph);
    if (!machine.graphs().has(with)) return Status::invalid_value;
    machine.costs().charge(forewarp::hardware::HostCall::update_graph, 0,
                           static_cast<double>(known.steps.size()));
    const PlanUpdate done = forewarp::program_run::update(known, *with);
    info = {static_cast<int>(done.result), nullptr, nullptr};
    for (const auto& node : with->nodes) {
      if (done.node != 0 && node->id == done.node) info.node = node.get();
    }
    return done.result == PlanUpdate::Result::done ? Status::success : Status::graph_update_failure;
  });
}

template <class Connect>
int connect_all(void* graph, void* const* from, void* const* to, std::size_t count,
                Connect connect) {
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    for (std::size_t i = 0; i < count; ++i) {
      auto *const first = static_cast<GraphNode*>(from[i]), *const second =
                                                                static_cast<GraphNode*>(to[i]);
      const bool both = machine.graphs().has_node(first) && machine.graphs().has_node(second);
      if (!both || first->graph != &known || second->graph != &known) return Status::invalid_value;
      if (!connect(machine, first, second)) return Status::invalid_value;
    }
    return Status::success;
  });
}

}  // namespace

FOREWARP_EXPORT int cudaGraphCreate(void** graph, unsigned /*flags*/) {
  return runtime_call([&](Machine& machine) {
    *graph = machine.graphs().make();
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphDestroy(void* graph) {
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    return machine.end_graph(&known) ? Status::success : Status::invalid_value;
  });
}
FOREWARP_EXPORT int cudaGraphClone(void** out, void* graph) {
  return with_graph(graph, [&](Machine& machine, Graph& known) {
    *out = machine.graphs().clone(known);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphNodeFindInClone(void** out, void* node, void* clone) {
  return with_node(node, [&](Machine& machine, GraphNode& known) {
    auto* const in = static_cast<Graph*>(clone);
    if (!machine.graphs().has(in)) return Status::invalid_value;
    *out = forewarp::program_run::Graphs::in_clone(known, *in);
    return *out != nullptr ? Status::success : Status::invalid_value;
  });
}
FOREWARP_EXPORT int cudaGraphInstantiate(void** out, void* graph, void** /*node*/, char* /*log*/,
                                         std::size_t /*bytes*/) {
  return instantiate(out, graph, 0);
}
FOREWARP_EXPORT int cudaGraphInstantiateWithFlags(void** out, void* graph,
                                                  unsigned long long flags) {
  return instantiate(out, graph, flags);
}
FOREWARP_EXPORT int cudaGraphInstantiateWithParams(void** out, void* graph,
                                                   InstantiateDescription* how) {
  constexpr int done = 0, refused = 1;  // cudaGraphInstantiateSuccess, ..Error
  if (how == nullptr) return static_cast<int>(Status::invalid_value);
  const int failed = instantiate(out, graph, how->flags);
  how->failed_node = nullptr;
  how->result = failed == 0 ? done : refused;
  return failed;
}
FOREWARP_EXPORT int cudaGraphExecGetFlags(void* plan, unsigned long long* flags) {
  return with_plan(plan, [&](Machine& /*machine*/, GraphPlan& known) {
    if (flags == nullptr) return Status::invalid_value;
    *flags = known.flags;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphExecDestroy(void* plan) {
  return runtime_call([&](Machine& machine) {
    return machine.end_plan(static_cast<GraphPlan*>(plan)) ? Status::success
                                                           : Status::invalid_value;
  });
}
FOREWARP_EXPORT int cudaGraphUpload(void* /*graph*/, void* /*stream*/) {
  return 0;
}
FOREWARP_EXPORT int cudaGraphLaunch(void* graph, void* stream) {
  return launch_graph(graph, stream_of(stream));
}
/// As CUDA 11 has it; that of CUDA 12 is cuGraphExecUpdate_v2.
FOREWARP_EXPORT int cudaGraphExecUpdate(void* plan, void* graph, void** node, int* result) {
  UpdateInfo info{1, nullptr, nullptr};
  const int failed = update(plan, graph, info);
  if (node != nullptr) *node = info.node;
  if (result != nullptr) *result = info.result;
  return failed;
}
FOREWARP_EXPORT int cuGraphExecUpdate_v2(void* plan, void* graph, UpdateInfo* out) {
  UpdateInfo info{1, nullptr, nullptr};
  const int failed = update(plan, graph, info);
  if (out != nullptr) *out = info;
  return failed;
}

FOREWARP_EXPORT int cudaGraphGetNodes(void* graph, void** nodes, std::size_t* count) {
  return with_graph(graph, [&](Machine& /*machine*/, Graph& known) {
    std::vector<GraphNode*> all;
    for (const auto& node : known.nodes) all.push_back(node.get());
    return give_nodes(all, nodes, count);
  });
}
FOREWARP_EXPORT int cudaGraphGetRootNodes(void* graph, void** nodes, std::size_t* count) {
  return with_graph(graph, [&](Machine& /*machine*/, Graph& known) {
    return give_nodes(forewarp::program_run::roots_of(known), nodes, count);
  });
}
FOREWARP_EXPORT int cudaGraphGetEdges(void* graph, void** from, void** to, std::size_t* count) {
  return with_graph(graph, [&](Machine& /*machine*/, Graph& known) {
    if (count == nullptr || (from == nullptr) != (to == nullptr)) return Status::invalid_value;
    std::vector<GraphNode*> begins, ends;
    for (const auto& [begin, end] : forewarp::program_run::edges_of(known)) {
      begins.push_back(begin);
      ends.push_back(end);
    }
    std::size_t room = *count;
    give_nodes(begins, from, &room);
    return give_nodes(ends, to, count);
  });
}
FOREWARP_EXPORT int cudaGraphNodeGetType(void* node, int* kind) {
  return with_node(node, [&](Machine& /*machine*/, GraphNode& known) {
    *kind = known.kind == NodeKind::library ? 0 : static_cast<int>(known.kind);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphNodeGetDependencies(void* node, void** nodes, std::size_t* count) {
  return with_node(node, [&](Machine& /*machine*/, GraphNode& known) {
    return give_nodes(known.after, nodes, count);
  });
}
FOREWARP_EXPORT int cudaGraphNodeGetDependentNodes(void* node, void** nodes, std::size_t* count) {
  return with_node(node, [&](Machine& /*machine*/, GraphNode& known) {
    return give_nodes(forewarp::program_run::followers_of(known), nodes, count);
  });
}
FOREWARP_EXPORT int cudaGraphGetEdges_v2(void* graph, void** from, void** to, void* edges,
                                         std::size_t* count) {
  return give_plain_edges(cudaGraphGetEdges(graph, from, to, count), edges, count);
}
FOREWARP_EXPORT int cudaGraphNodeGetDependencies_v2(void* node, void** nodes, void* edges,
                                                    std::size_t* count) {
  return give_plain_edges(cudaGraphNodeGetDependencies(node, nodes, count), edges, count);
}
FOREWARP_EXPORT int cudaGraphNodeGetDependentNodes_v2(void* node, void** nodes, void* edges,
                                                      std::size_t* count) {
  return give_plain_edges(cudaGraphNodeGetDependentNodes(node, nodes, count), edges, count);
}
FOREWARP_EXPORT int cudaGraphAddDependencies(void* graph, void* const* from, void* const* to,
                                             std::size_t count) {
  return connect_all(graph, from, to, count, [](Machine& machine, GraphNode* one, GraphNode* next) {
    return machine.graphs().connect(one, next);
  });
}
FOREWARP_EXPORT int cudaGraphAddDependencies_v2(void* graph, void* const* from, void* const* to,
                                                const void* /*edges*/, std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
FOREWARP_EXPORT int cudaGraphRemoveDependencies(void* graph, void* const* from, void* const* to,
                                                std::size_t count) {
  return connect_all(graph, from, to, count, [](Machine& machine, GraphNode* one, GraphNode* next) {
    return machine.graphs().disconnect(one, next);
  });
}
FOREWARP_EXPORT int cudaGraphRemoveDependencies_v2(void* graph, void* const* from, void* const* to,
                                                   const void* /*edges*/, std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, count);
}
FOREWARP_EXPORT int cudaGraphDestroyNode(void* node) {
  return with_node(node, [&](Machine& machine, GraphNode& known) {
    machine.graphs().end_node(&known);
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphNodeSetEnabled(void* plan, void* node, unsigned enabled) {
  return with_step(plan, node, [&](Machine& /*machine*/, GraphNode& known) {
    const bool may = known.kind == NodeKind::kernel || known.kind == NodeKind::copy ||
                     known.kind == NodeKind::fill;
    if (!may) return Status::invalid_value;
    known.enabled = enabled != 0;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphNodeGetEnabled(void* plan, void* node, unsigned* enabled) {
  return with_step(plan, node, [&](Machine& /*machine*/, GraphNode& known) {
    *enabled = known.enabled ? 1 : 0;
    return Status::success;
  });
}
FOREWARP_EXPORT int cudaGraphDebugDotPrint(void* graph, const char* path, unsigned /*flags*/) {
  return with_graph(graph, [&](Machine& /*machine*/, Graph& known) {
    if (path == nullptr) return Status::invalid_value;
    std::ofstream out(path);
    out << "digraph dot {\n";
    write_dot(out, known);
    out << "}\n";
    return out.good() ? Status::success : Status::unknown;
  });
}

PER_THREAD(cudaGraphUpload, _ptsz, 2)
PER_THREAD(cudaGraphLaunch, _ptsz, 2)
PER_THREAD(cudaGraphInstantiateWithParams, _ptsz, 3)
